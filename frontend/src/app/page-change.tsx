import * as m from 'framer-motion/m';
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { useMotionReady } from '@/shared/motion';
import styles from './page-change.module.css';

/** How long a link waits for the next page's code and data before it leads there without them. */
const PATIENCE_MS = 500;

const poses = {
  cover: { transform: 'translateX(0%)', transition: { duration: 0.24, ease: [0.5, 0, 0.8, 0.6] } },
  pass: { transform: 'translateX(100%)', transition: { duration: 0.28, ease: [0.2, 0.4, 0.3, 1] } },
} as const;

interface Change {
  /** Tells one change from the next. */
  id: number;
  phase: keyof typeof poses;
}

/**
 * The change from page to page: the beam wipes over the old one and off the new one. It only does so when the next
 * page's code and data are there, so that it never hides a wait.
 */
export function usePageChange() {
  const ready = useMotionReady();
  const [change, setChange] = useState<Change | null>(null);
  const asked = useRef(0);
  const phase = useRef<Change['phase'] | null>(null);
  /** Shows the page that was asked for last. */
  const next = useRef(() => {});

  useEffect(() => {
    phase.current = change?.phase ?? null;
  }, [change]);

  const leave = useCallback(
    async (loaded: Promise<unknown>, go: () => void) => {
      loaded.catch(() => {});
      asked.current += 1;
      const id = asked.current;
      next.current = go;
      // Whoever presses another link while the beam comes wants that one.
      if (phase.current === 'cover') return;
      const there = ready && phase.current === null && (await isThereInTime(loaded));
      if (id !== asked.current) return;
      if (there) setChange({ id, phase: 'cover' });
      else go();
    },
    [ready],
  );

  const onDone = () => {
    if (change?.phase !== 'cover') return setChange(null);
    // At once, not when the next page is drawn: a link that is pressed until then would wait for a beam that has come.
    phase.current = 'pass';
    next.current();
    // With the next page, not before it.
    startTransition(() => setChange({ ...change, phase: 'pass' }));
  };

  const beam = change ? (
    <m.div
      key={change.id}
      className={styles.beam}
      data-phase={change.phase}
      aria-hidden="true"
      initial={{ transform: 'translateX(-100%)' }}
      animate={poses[change.phase]}
      onAnimationComplete={onDone}
    />
  ) : null;
  return { leave, beam };
}

/** Whether something is there before the patience is over; what fails is not. */
function isThereInTime(loaded: Promise<unknown>): Promise<boolean> {
  return new Promise((done) => {
    const timer = setTimeout(done, PATIENCE_MS, false);
    const settle = (there: boolean) => {
      clearTimeout(timer);
      done(there);
    };
    loaded.then(
      () => settle(true),
      () => settle(false),
    );
  });
}
