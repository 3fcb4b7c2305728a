import * as m from 'framer-motion/m';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Film } from '@/shared/api';
import { useMotionReady } from '@/shared/motion';
import { cardOf } from '../open-film';
import styles from './growing-poster.module.css';

const RESTING = 'translate(0px, 0px) scale(1)';

/** The poster in a film's details: it grows out of the poster of the film's card, and shrinks back into it. */
export function GrowingPoster({ film, className, children }: { film: Film; className?: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const ready = useMotionReady();
  const [moves] = useState(ready);
  const [from, setFrom] = useState<string | null>(null);

  useLayoutEffect(() => {
    if (!moves) return;
    // The dialog around it opens after this effect; the poster is measured once it is open, and before it is painted.
    queueMicrotask(() => {
      const element = box.current;
      const start = element && placeOfCard(film, element);
      if (!start) return;
      element.style.transform = start;
      setFrom(start);
    });
  }, [moves, film]);

  return (
    <m.div
      ref={box}
      className={`${styles.poster} ${className}`}
      initial={false}
      animate={
        from === null
          ? undefined
          : {
              transform: [from, RESTING],
              transition: { duration: 0.42, ease: [0.2, 0.7, 0.1, 1] },
              transitionEnd: { transform: 'none' },
            }
      }
      variants={{
        card: () => {
          const place = box.current && placeOfCard(film, box.current);
          return place ? { transform: [RESTING, place], transition: { duration: 0.24, ease: 'easeIn' } } : {};
        },
      }}
      exit={ready ? 'card' : undefined}
    >
      {children}
    </m.div>
  );
}

/** The transform that puts an element onto the poster of the film's card; null if no part of that is visible. */
function placeOfCard(film: Film, element: HTMLElement): string | null {
  const card = cardOf(film)?.firstElementChild?.getBoundingClientRect();
  const own = element.getBoundingClientRect();
  if (!card || card.width === 0 || own.width === 0) return null;
  const { innerWidth, innerHeight } = window;
  if (card.bottom <= 0 || card.top >= innerHeight || card.right <= 0 || card.left >= innerWidth) return null;
  return `translate(${card.left - own.left}px, ${card.top - own.top}px) scale(${card.width / own.width})`;
}
