import * as m from 'framer-motion/m';
import { useMotionReady } from '@/shared/motion';
import styles from './progress-line.module.css';

interface ProgressLineProps {
  /** Moves from the first thing, in either direction. */
  at: number;
  /** How many things there are. */
  of: number;
}

/** How far through its things a carousel is. */
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
