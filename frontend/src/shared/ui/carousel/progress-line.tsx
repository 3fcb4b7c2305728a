import * as m from 'framer-motion/m';
import { useMotionReady } from '@/shared/motion';
import styles from './progress-line.module.css';

interface ProgressLineProps {
  /** Moves from the first item, in either direction. */
  at: number;
  /** Number of items. */
  of: number;
}

/** Position of a carousel within its items. */
export function ProgressLine({ at, of }: ProgressLineProps) {
  const ready = useMotionReady();
  const place = ((at % of) + of) % of;
  const transform = `scaleX(${(place + 1) / of})`;
  const shared = { className: styles.done, 'data-position': `${place + 1} of ${of}` };
  return (
    <span className={styles.line} aria-hidden="true">
      {ready ? (
        <m.span {...shared} initial={false} animate={{ transform, transition: { duration: 0.4, ease: 'easeOut' } }} />
      ) : (
        <span {...shared} style={{ transform }} />
      )}
    </span>
  );
}
