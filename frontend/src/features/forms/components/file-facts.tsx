import { useEffect, useRef, useState } from 'react';
import { bytesText } from '../model/amounts';
import type { ChosenFile } from '../model/chosen-file';
import type { Kept } from '../model/draft-keeper';
import { doubtAbout } from '../model/file-check';
import type { UploadState } from '../model/file-uploads';
import styles from './file-tile.module.css';
import { ProgressBar } from './progress-bar';

interface ChosenFileProps {
  file: ChosenFile;
  /** Whether it is on the device. */
  kept: Kept;
  /** How its upload stands; undefined: nothing is known. */
  upload: UploadState | undefined;
}

/** What a chosen file is called, what there is to say of it, and where it is by now. */
export function FileFacts({ file, kept, upload }: ChosenFileProps) {
  const doubt = useDoubt(file.content ?? undefined);
  return (
    <>
      <p className={styles.name}>
        {file.name} <span className={styles.size}>{bytesText(file.size)}</span>
      </p>
      <p role="status" className={styles.warning}>
        {doubt}
      </p>
      <Standing file={file} kept={kept} upload={upload} />
    </>
  );
}

/** The picture that was chosen, or the kind of the file in its place. */
export function FilePreview({ file }: { file: ChosenFile }) {
  const { content } = file;
  if (!content) return <span className={styles.paper}>{kindOf(file)}</span>;
  return <Preview key={`${file.name} ${content.lastModified}`} file={content} />;
}

/** What is to be said of the file that was chosen, and is no reason not to send it. */
function useDoubt(file: File | undefined): string {
  const [doubt, setDoubt] = useState<{ file: File; text: string }>();
  useEffect(() => {
    if (!file) return;
    let current = true;
    doubtAbout(file).then(
      (text) => current && setDoubt({ file, text }),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [file]);
  return doubt && doubt.file === file ? doubt.text : '';
}

/** Whether a file has been uploaded, and whether it survives a reload. */
function Standing({ file, kept, upload }: ChosenFileProps) {
  if (upload?.kind === 'sending') {
    return (
      <div className={styles.status}>
        <ProgressBar label={`Uploading ${file.name}`} sent={upload.sent} total={upload.total} />
        <p>
          Uploading: {bytesText(upload.sent)} of {bytesText(upload.total)}
        </p>
      </div>
    );
  }
  return (
    <p className={styles.status} role="status" data-done={file.ticket !== null}>
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
