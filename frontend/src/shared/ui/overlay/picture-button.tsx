import { type ReactNode, useState } from 'react';
import { Presence } from '@/shared/motion';
import { Overlay } from './overlay';
import styles from './picture-button.module.css';

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
      <Presence of={open}>
        {() => <PictureOverlay image={image} title={title} onClose={() => setOpen(false)} />}
      </Presence>
    </>
  );
}

interface PictureOverlayProps {
  image: string;
  title: string;
  onClose: () => void;
}

/** A picture in full size; a click anywhere closes it. */
export function PictureOverlay({ image, title, onClose }: PictureOverlayProps) {
  return (
    <Overlay label={title} kind="image" onClose={onClose}>
      <button type="button" className={styles.close} onClick={onClose}>
        <img src={image} alt={title} className={styles.image} />
        <span className={styles.label}>Close</span>
      </button>
    </Overlay>
  );
}
