import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import type { FormField } from '@/shared/api/generated/forms';
import { useFormTools } from '../hooks/use-form-tools';
import { bytesText } from '../model/amounts';
import type { ChosenFile } from '../model/chosen-file';
import type { Kept } from '../model/draft-keeper';
import type { UploadState } from '../model/file-uploads';
import { inputId } from '../model/form-element';
import { loadTools } from '../model/load-tools';
import { inputAttributes } from './field';
import styles from './file-tile.module.css';
import { ProgressBar } from './progress-bar';

interface FileTileProps {
  field: FormField;
  problem: string;
  file: ChosenFile | undefined;
  /** Whether it is on the device. */
  kept: Kept;
  /** How its upload stands; undefined: nothing is known. */
  upload: UploadState | undefined;
  onChoose: (name: string, file: File) => void;
  onRemove: (name: string) => void;
}

/** Where a file is chosen, seen, replaced and removed. */
export function FileTile({ field, problem, file, kept, upload, onChoose, onRemove }: FileTileProps) {
  const tools = useFormTools();
  const { name, accept } = field;
  const doubt = useDoubt(file?.content ?? undefined);
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0];
    if (!chosen) return;
    onChoose(name, chosen);
    // The tile holds the file from now on; emptied, the input also takes the same file once more.
    event.target.value = '';
  };
  return (
    <div className={styles.tile} data-chosen={file !== undefined}>
      {file?.content ? <Preview key={`${file.name} ${file.content.lastModified}`} file={file.content} /> : null}
      {file && !file.content ? <span className={styles.paper}>{kindOf(file)}</span> : null}
      <div className={styles.text}>
        {file ? (
          <p className={styles.name}>
            {file.name} <span className={styles.size}>{bytesText(file.size)}</span>
          </p>
        ) : null}
        <p role="status" className={styles.doubt}>
          {doubt}
        </p>
        {file ? <Standing file={file} kept={kept} upload={upload} /> : null}
        <div className={styles.actions}>
          <span className={styles.choose}>
            <input
              {...inputAttributes(field, problem)}
              type="file"
              id={inputId(name)}
              name={name}
              accept={accept}
              className={styles.input}
              disabled={!tools}
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

/** What is to be said of the file that was chosen, and is no reason not to send it. */
function useDoubt(file: File | undefined): string {
  const [found, setFound] = useState<{ file: File; words: string }>();
  useEffect(() => {
    if (!file) return;
    let current = true;
    loadTools()
      .then(({ doubtAbout }) => doubtAbout(file))
      .then(
        (words) => current && setFound({ file, words }),
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [file]);
  return found && found.file === file ? found.words : '';
}

/** Whether a file has been uploaded, and whether it survives a reload. */
function Standing({ file, kept, upload }: { file: ChosenFile; kept: Kept; upload: UploadState | undefined }) {
  if (upload?.kind === 'sending') {
    return (
      <div className={styles.standing}>
        <ProgressBar label={`Uploading ${file.name}`} sent={upload.sent} total={upload.total} />
        <p>
          Uploading: {bytesText(upload.sent)} of {bytesText(upload.total)}
        </p>
      </div>
    );
  }
  return (
    <p className={styles.standing} role="status" data-done={file.ticket !== null}>
      {standingText(file, kept, upload)}
    </p>
  );
}

function standingText(file: ChosenFile, kept: Kept, upload: UploadState | undefined): string {
  if (file.ticket) return 'Uploaded and checked.';
  const next = upload?.kind === 'with-form' ? 'It is sent with the form.' : 'It waits to be uploaded.';
  if (kept === 'kept') return `Kept on this device. ${next}`;
  if (kept === 'failed') return `Not kept on this device: after a reload it has to be chosen again. ${next}`;
  return next;
}

function kindOf({ name, type }: { name: string; type: string }): string {
  return type === 'application/pdf' || /\.pdf$/i.test(name) ? 'PDF' : 'File';
}

/** A picture itself, or the word PDF. */
function Preview({ file }: { file: File }) {
  const picture = useRef<HTMLImageElement>(null);
  const [readable, setReadable] = useState(true);
  useEffect(() => {
    const image = picture.current;
    if (!image) return;
    const address = URL.createObjectURL(file);
    image.src = address;
    return () => {
      // Else it may still be loading from an address that is gone.
      image.removeAttribute('src');
      URL.revokeObjectURL(address);
    };
  }, [file]);
  const kind = kindOf(file);
  if (kind === 'PDF' || !readable) return <span className={styles.paper}>{kind}</span>;
  return <img ref={picture} alt="" className={styles.picture} onError={() => setReadable(false)} />;
}
