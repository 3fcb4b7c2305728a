import type { EmblaCarouselType } from 'embla-carousel';
import { type RefObject, useEffect, useState } from 'react';

/**
 * Turns a scrolling list into an endless carousel once it comes near the window. `moves` is whether there is anything
 * to move, `near` whether it is close to the window.
 */
export function useEmbla(viewport: RefObject<HTMLElement | null>, free: boolean) {
  const [embla, setEmbla] = useState<EmblaCarouselType | null>(null);
  const [moves, setMoves] = useState(false);
  const [near, setNear] = useState(false);

  useEffect(() => {
    const node = viewport.current;
    if (!node || typeof IntersectionObserver === 'undefined') return;
    let api: EmblaCarouselType | null = null;
    let unfollow = () => {};
    let asked = false;
    let gone = false;

    const start = async () => {
      const { default: EmblaCarousel } = await import('embla-carousel');
      if (gone) return;
      node.scrollLeft = 0;
      // The library's own `watchFocus` ignores a focus that comes more than 10 ms after the Tab key. On a slow device the
      // browser then scrolls the frame, and the carousel no longer knows which slide is in view.
      const options = { loop: true, align: 'start', dragFree: free, duration: 30, watchFocus: false } as const;
      const made = EmblaCarousel(node, options);
      unfollow = followTab(made, node);
      const measure = () => setMoves(made.canScrollNext() || made.canScrollPrev());
      made.on('reInit', measure);
      api = made;
      setEmbla(made);
      measure();
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        setNear(entry?.isIntersecting ?? false);
        if (asked || !entry?.isIntersecting) return;
        asked = true;
        // Without the library the list can still be scrolled by hand.
        start().catch((error) => console.warn(error));
      },
      { rootMargin: '400px' },
    );
    observer.observe(node);
    return () => {
      gone = true;
      observer.disconnect();
      unfollow();
      api?.destroy();
    };
  }, [viewport, free]);

  return { embla, moves, near };
}

/** Moves a carousel to the slide that the Tab key reaches; returns a function that stops this. */
function followTab(embla: EmblaCarouselType, viewport: HTMLElement): () => void {
  let tabbed = false;
  const onKey = ({ key }: KeyboardEvent) => {
    tabbed = key === 'Tab';
  };
  const onPointer = () => {
    tabbed = false;
  };
  const onFocus = ({ target }: FocusEvent) => {
    const slide = embla.slideNodes().findIndex((node) => node.contains(target as Node));
    if (!tabbed || slide < 0) return;
    // The browser has scrolled the frame to the link; a carousel moves its slides instead.
    viewport.scrollLeft = 0;
    const snap = embla.internalEngine().slideRegistry.findIndex((slides) => slides.includes(slide));
    embla.scrollTo(snap, true);
  };
  document.addEventListener('keydown', onKey);
  document.addEventListener('pointerdown', onPointer, true);
  viewport.addEventListener('focusin', onFocus);
  return () => {
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('pointerdown', onPointer, true);
    viewport.removeEventListener('focusin', onFocus);
  };
}

/** Reports when a carousel was dragged: released at another position than where it was grabbed. */
export function useDragged(embla: EmblaCarouselType | null, onDragged: () => void): void {
  useEffect(() => {
    if (!embla) return;
    let taken = 0;
    const onDown = () => {
      taken = embla.internalEngine().location.get();
    };
    const onUp = () => {
      if (Math.abs(embla.internalEngine().target.get() - taken) > 1) onDragged();
    };
    embla.on('pointerDown', onDown).on('pointerUp', onUp);
    return () => {
      embla.off('pointerDown', onDown).off('pointerUp', onUp);
    };
  }, [embla, onDragged]);
}
