import type { EmblaCarouselType } from 'embla-carousel';
import { useEffect, useState } from 'react';
import { ringAt, steps } from './ring';

/** How many moves a carousel is away from its beginning, and what its slides show there. */
export function useRing(embla: EmblaCarouselType | null) {
  const [position, setPosition] = useState(0);

  useEffect(() => {
    if (!embla) return;
    let slide = embla.selectedScrollSnap();
    const onSelect = () => {
      const moved = steps(slide, embla.selectedScrollSnap());
      slide = embla.selectedScrollSnap();
      setPosition((position) => position + moved);
    };
    embla.on('select', onSelect);
    return () => {
      embla.off('select', onSelect);
    };
  }, [embla]);

  return { position, show: (count: number) => ringAt(position, count) };
}
