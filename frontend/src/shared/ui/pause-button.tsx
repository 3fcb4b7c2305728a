import type { Rotation } from '@/shared/motion';
import styles from './pause-button.module.css';

interface PauseButtonProps {
  rotation: Pick<Rotation, 'paused' | 'toggle'>;
  /** Name of the moving content, e.g. "Posters". */
  label: string;
  /** It is there with reduced motion, too, to start what does not move by itself then. */
  always?: boolean;
}

/** Stops and starts automatic motion. */
export function PauseButton({ rotation, label, always = false }: PauseButtonProps) {
  return (
    <button
      type="button"
      data-pause={always ? 'always' : ''}
      className={styles.pause}
      aria-label={`${rotation.paused ? 'Play' : 'Pause'}: ${label}`}
      onClick={rotation.toggle}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path fill="currentColor" d={rotation.paused ? 'M7 4v16l13-8z' : 'M6 4h4v16H6zM14 4h4v16h-4z'} />
      </svg>
    </button>
  );
}
