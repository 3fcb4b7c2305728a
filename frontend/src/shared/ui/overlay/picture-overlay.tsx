import { Overlay } from './overlay';
import styles from './picture-overlay.module.css';

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
        <span className={styles.word}>Close</span>
      </button>
    </Overlay>
  );
}
