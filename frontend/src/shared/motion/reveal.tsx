import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './reveal.module.css';
import { useReducedMotion } from './use-reduced-motion';

/**
 * Fades in and slides up when scrolled into view, and again whenever it comes up from below.
 *
 * The HTML is visible; only what lies below the fold once the page is alive is hidden, so that the page shows without
 * JavaScript and the first paint does not wait for a script.
 */
export function Reveal({ children, className = '' }: { children: ReactNode; className?: string }) {
  const box = useRef<HTMLDivElement>(null);
  // Null until the block has been below the window: such a block never moves.
  const [inView, setInView] = useState<boolean | null>(null);
  const reduced = useReducedMotion();

  useEffect(() => {
    if (!box.current || reduced) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        const { top } = entry.boundingClientRect;
        setInView((before) => {
          // At first only what nobody can see yet is hidden; later what the visitor has scrolled past stays as it is.
          if (!entry.isIntersecting && top > (before === null ? window.innerHeight : 0)) return false;
          return before === false ? entry.isIntersecting : before;
        });
      },
      { rootMargin: '0px 0px -100px 0px' },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [reduced]);

  const state = inView === null || reduced ? undefined : inView ? 'shown' : 'below';
  return (
    <div ref={box} className={`${styles.reveal} ${className}`} data-reveal={state}>
      {children}
    </div>
  );
}
