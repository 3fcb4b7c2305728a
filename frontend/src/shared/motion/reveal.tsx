import * as m from 'framer-motion/m';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useMotionReady } from './motion-provider';
import styles from './reveal.module.css';

const poses = {
  below: { opacity: 0, transform: 'translateY(60px)', transition: { duration: 0 } },
  shown: {
    opacity: 1,
    transform: 'translateY(0px)',
    transition: { duration: 0.7, ease: 'easeOut' },
    // A remaining transform would be the containing block of fixed elements.
    transitionEnd: { transform: 'none' },
  },
} as const;

/**
 * Fades in and slides up when scrolled into view, and again whenever it comes up from below.
 *
 * The HTML is visible; only blocks below the fold at hydration are hidden, so that the page is visible without
 * JavaScript and the first paint does not wait for a script.
 */
export function Reveal({ children, className = '' }: { children: ReactNode; className?: string }) {
  const box = useRef<HTMLDivElement>(null);
  // Null until the block has been below the window: other blocks never move.
  const [inView, setInView] = useState<boolean | null>(null);
  const ready = useMotionReady();

  useEffect(() => {
    if (!box.current || !ready) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        const { top } = entry.boundingClientRect;
        setInView((before) => {
          // At first only blocks below the window are hidden; later, blocks that the visitor has scrolled past stay as
          // they are.
          if (!entry.isIntersecting && top > (before === null ? window.innerHeight : 0)) return false;
          return before === false ? entry.isIntersecting : before;
        });
      },
      { rootMargin: '0px 0px -100px 0px' },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [ready]);

  const state = inView === null || !ready ? undefined : inView ? 'shown' : 'below';
  return (
    <m.div
      ref={box}
      className={`${styles.reveal} ${className}`}
      data-reveal={state}
      initial={false}
      animate={state && poses[state]}
    >
      {children}
    </m.div>
  );
}
