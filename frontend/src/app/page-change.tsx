import * as m from 'framer-motion/m';
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { useMotionReady } from '@/shared/motion';
import styles from './page-change.module.css';

/** How long a link waits for the next page's code and data before it opens the page without them. */
const PATIENCE_MS = 500;

const poses = {
  cover: { transform: 'translateX(0%)', transition: { duration: 0.24, ease: [0.5, 0, 0.8, 0.6] } },
  pass: { transform: 'translateX(100%)', transition: { duration: 0.28, ease: [0.2, 0.4, 0.3, 1] } },
} as const;

interface Change {
  /** Distinguishes one change from the next. */
  id: number;
  phase: keyof typeof poses;
}

/**
 * The change from page to page: the beam wipes over the old page and off the new one, but only when the next page's
 * code and data are loaded, so that it never hides a wait.
 */
export function usePageChange() {
  const ready = useMotionReady();
  const [change, setChange] = useState<Change | null>(null);
  const asked = useRef(0);
  const phase = useRef<Change['phase'] | null>(null);
  /** Shows what was requested last. */
  const next = useRef(() => {});

  useEffect(() => {
    phase.current = change?.phase ?? null;
  }, [change]);

  /** Opens what a link leads to: a page once it is loaded, or with `null` another address of this page, at once. */
  const leave = useCallback(
    async (loaded: Promise<unknown> | null, go: () => void) => {
      loaded?.catch(() => {});
      asked.current += 1;
      const id = asked.current;
      next.current = go;
      // Another link that is clicked while the beam comes in takes precedence.
      if (phase.current === 'cover') return;
      const there = ready && phase.current === null && loaded !== null && (await isThereInTime(loaded));
      if (id !== asked.current) return;
      if (there) setChange({ id, phase: 'cover' });
      else go();
    },
    [ready],
  );

  const onDone = () => {
    if (change?.phase !== 'cover') return setChange(null);
    // At once, not when the next page is drawn: a link that is clicked in between would wait for a beam that has
    // already arrived.
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

/** Whether a promise resolves in time; false if it rejects. */
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
