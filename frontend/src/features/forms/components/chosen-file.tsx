import { useEffect, useRef, useState } from 'react';
import type { ChosenFile } from '../model/chosen-file';
import { doubtAbout } from '../model/file-check';
import styles from './file-tile.module.css';

/** The chosen picture, or the kind of the file in its place. */
export function FilePreview({ file }: { file: ChosenFile }) {
  const { content } = file;
  if (!content) return <span className={styles.paper}>{kindOf(file)}</span>;
  return <Preview key={`${file.name} ${content.lastModified}`} file={content} />;
}

/** A warning about the chosen file that does not prevent sending it. */
export function FileWarning({ file }: { file: File | null }) {
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
  return (
    <p role="status" className={styles.warning}>
      {doubt && doubt.file === file ? doubt.text : ''}
    </p>
  );
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
      // Otherwise it may still be loading from an address that is gone.
      image.removeAttribute('src');
      URL.revokeObjectURL(address);
    };
  }, [file]);
  const kind = kindOf(file);
  if (kind === 'PDF' || !readable) return <span className={styles.paper}>{kind}</span>;
  return <img ref={picture} alt="" className={styles.picture} onError={() => setReadable(false)} />;
}
