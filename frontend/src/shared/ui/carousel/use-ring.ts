import type { EmblaCarouselType } from 'embla-carousel';
import { useEffect, useState } from 'react';

/** How many moves a carousel is away from its beginning, which slide it is at, and what its slides show there. */
export function useRing(embla: EmblaCarouselType | null) {
  const [position, setPosition] = useState(0);
  const [at, setAt] = useState(0);

  useEffect(() => {
    if (!embla) return;
    let slide = embla.selectedScrollSnap();
    const onSelect = () => {
      const moved = steps(slide, embla.selectedScrollSnap());
      slide = embla.selectedScrollSnap();
      setAt(slide);
      setPosition((position) => position + moved);
    };
    embla.on('select', onSelect);
    return () => {
      embla.off('select', onSelect);
    };
  }, [embla]);

  return { position, slide: at, show: (count: number) => ringAt(position, count) };
}

/**
 * A carousel of a thousand films has twelve slides: those in view, and a few on either side. As it moves on, the slides
 * that were passed are filled anew, far from sight. Nothing grows with the list.
 */

/** More than three windows full. */
export const RING = 12;
/** So many slides before the first in view keep what was passed, for the way back. */
const BEHIND = 4;

/** How many steps lie between two slides, the short way round. */
export function steps(from: number, to: number): number {
  return modulo(to - from + RING / 2, RING) - RING / 2;
}

/**
 * Which of `count` things each slide shows when `position` steps have been made; backwards steps count down. A short
 * list has a slide for each.
 */
export function ringAt(position: number, count: number): number[] {
  if (count < RING) return Array.from({ length: count }, (_, place) => place);
  const first = position - BEHIND;
  return Array.from({ length: RING }, (_, slide) => modulo(first + modulo(slide - first, RING), count));
}

function modulo(number: number, by: number): number {
  return ((number % by) + by) % by;
}
