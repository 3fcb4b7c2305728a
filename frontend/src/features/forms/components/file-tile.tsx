import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import type { FormField } from '@/shared/api/generated/forms';
import { useHydrated } from '@/shared/use-hydrated';
import { bytesText } from '../model/amounts';
import { inputId } from '../model/form-element';
import { inputAttributes } from './field';
import styles from './file-tile.module.css';

interface FileTileProps {
  field: FormField;
  problem: string;
  file: File | undefined;
  onChoose: (name: string, file: File) => void;
  onRemove: (name: string) => void;
}

/** Where a file is chosen, seen, replaced and removed. */
export function FileTile({ field, problem, file, onChoose, onRemove }: FileTileProps) {
  const hydrated = useHydrated();
  const { name, accept } = field;
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0];
    if (!chosen) return;
    onChoose(name, chosen);
    // The tile holds the file from now on; emptied, the input also takes the same file once more.
    event.target.value = '';
  };
  return (
    <div className={styles.tile} data-chosen={file !== undefined}>
      {file ? <Preview key={`${file.name} ${file.lastModified}`} file={file} /> : null}
      <div className={styles.text}>
        {file ? (
          <p className={styles.name}>
            {file.name} <span className={styles.size}>{bytesText(file.size)}</span>
          </p>
        ) : null}
        <div className={styles.actions}>
          <span className={styles.choose}>
            <input
              {...inputAttributes(field, problem)}
              type="file"
              id={inputId(name)}
              name={name}
              accept={accept}
              className={styles.input}
              disabled={!hydrated}
              onChange={onChange}
            />
            <span className={styles.word} aria-hidden="true">
              {file ? 'Replace' : 'Choose a file'}
            </span>
          </span>
          {file ? (
            <button type="button" className={styles.remove} onClick={() => onRemove(name)}>
              Remove<span className={styles.hidden}> {field.label}</span>
            </button>
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** A picture itself, or the word PDF. */
function Preview({ file }: { file: File }) {
  const picture = useRef<HTMLImageElement>(null);
  const [readable, setReadable] = useState(true);
  useEffect(() => {
    if (!picture.current) return;
    const address = URL.createObjectURL(file);
    picture.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [file]);
  const isPdf = file.type === 'application/pdf' || /\.pdf$/i.test(file.name);
  if (isPdf || !readable) return <span className={styles.paper}>{isPdf ? 'PDF' : 'File'}</span>;
  return <img ref={picture} alt="" className={styles.picture} onError={() => setReadable(false)} />;
}
