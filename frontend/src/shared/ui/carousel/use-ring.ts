import type { EmblaCarouselType } from 'embla-carousel';
import { useEffect, useState } from 'react';

/** Moves from the first item, the current slide, and the items in its slides. */
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
 * A carousel of a thousand films has twelve slides: those in view, and a few on either side. As it moves on, passed
 * slides are filled with new items, out of view. Nothing grows with the list.
 */

/** More than three times the items in view. */
export const RING = 12;
/** Number of slides before the first in view that keep their items, for moving back. */
const BEHIND = 4;

/** Number of steps between two slides, in the shorter direction. */
export function steps(from: number, to: number): number {
  return modulo(to - from + RING / 2, RING) - RING / 2;
}

/**
 * Which of `count` items each slide contains after `position` steps; steps backwards are negative. A short list has a
 * slide for each.
 */
export function ringAt(position: number, count: number): number[] {
  if (count < RING) return Array.from({ length: count }, (_, place) => place);
  const first = position - BEHIND;
  return Array.from({ length: RING }, (_, slide) => modulo(first + modulo(slide - first, RING), count));
}

function modulo(number: number, by: number): number {
  return ((number % by) + by) % by;
}
