import { type ReactNode, useId } from 'react';
import { Presence } from '@/shared/motion';
import { useLocation, useNavigate } from '@/shared/router';
import { useHydrated } from '@/shared/use-hydrated';
import { Overlay } from './overlay';
import styles from './picture-button.module.css';

interface PictureButtonProps {
  /** The picture; without JavaScript the link shows it alone. */
  image: string;
  title: string;
  children: ReactNode;
}

/** A small picture that opens in full size, as a history entry of its own, so that Back closes it. */
export function PictureButton({ image, title, children }: PictureButtonProps) {
  const location = useLocation();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  // The id alone may be another button's after a reload.
  const name = `${useId()} ${image}`;
  const open = hydrated && (location.state as { picture?: string } | null)?.picture === name;
  return (
    <>
      <a
        href={image}
        className={styles.open}
        aria-haspopup="dialog"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          const { pathname, search, hash } = location;
          navigate({ pathname, search, hash }, { state: { picture: name } });
        }}
      >
        {children}
      </a>
      <Presence of={open}>{() => <PictureOverlay image={image} title={title} onClose={() => navigate(-1)} />}</Presence>
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
