import { type ReactNode, useState } from 'react';
import styles from './picture-button.module.css';
import { PictureOverlay } from './picture-overlay';

interface PictureButtonProps {
  /** The picture; without JavaScript the link shows it alone. */
  image: string;
  title: string;
  children: ReactNode;
}

/** A small picture that opens in full size. */
export function PictureButton({ image, title, children }: PictureButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <a
        href={image}
        className={styles.open}
        aria-haspopup="dialog"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </a>
      {open ? <PictureOverlay image={image} title={title} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
