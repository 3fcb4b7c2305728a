import type { ChangeEvent } from 'react';
import type { FormField } from '@/shared/api/generated/forms';
import { useInputAttributes } from '../hooks/use-input-attributes';
import { bytesText } from '../model/amounts';
import type { ChosenFile } from '../model/chosen-file';
import type { SaveState } from '../model/draft-keeper';
import { inputId } from '../model/form-element';
import { useFormTools } from '../model/load-tools';
import styles from './file-tile.module.css';

interface FileTileProps {
  field: FormField;
  problem: string;
  file: ChosenFile | undefined;
  /** Whether it is stored on the device. */
  saved: SaveState;
  onChoose: (name: string, file: File) => void;
  onRemove: (name: string) => void;
}

/** Input to choose, preview, replace and remove a file. */
export function FileTile({ field, problem, file, saved, onChoose, onRemove }: FileTileProps) {
  const tools = useFormTools();
  const attributes = useInputAttributes(field, problem);
  const { name, accept } = field;
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0];
    if (!chosen) return;
    onChoose(name, chosen);
    // The tile holds the file from now on; once emptied, the input accepts the same file again.
    event.target.value = '';
  };
  return (
    <div className={styles.tile} data-chosen={file !== undefined}>
      {file ? tools ? <tools.FilePreview file={file} /> : <span className={styles.paper} /> : null}
      <div className={styles.text}>
        {file ? (
          <>
            <p className={styles.name}>
              {file.name} <span className={styles.size}>{bytesText(file.size)}</span>
            </p>
            {tools ? <tools.FileWarning file={file.content} /> : null}
            <p className={styles.status} role="status" data-done={file.ticket !== null}>
              {statusText(file, saved)}
            </p>
          </>
        ) : null}
        <div className={styles.actions}>
          <span className={styles.choose}>
            <input
              {...attributes}
              type="file"
              id={inputId(name)}
              name={name}
              accept={accept}
              className={styles.input}
              disabled={!tools}
              onChange={onChange}
            />
            <span className={styles.button} aria-hidden="true">
              {file ? 'Replace' : 'Choose a file'}
            </span>
          </span>
          {file ? (
            <button type="button" className={styles.remove} onClick={() => onRemove(name)}>
              Remove<span data-unseen=""> {field.label}</span>
            </button>
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** Whether a file has been uploaded, and whether it survives a reload. */
function statusText(file: ChosenFile, saved: SaveState): string {
  if (file.ticket) return 'It has arrived, and is not sent again.';
  if (saved === 'saved') return 'Kept on this device. It is sent with the form.';
  if (saved === 'failed') return 'Not kept on this device: after a reload it has to be chosen again.';
  return 'It is sent with the form.';
}
