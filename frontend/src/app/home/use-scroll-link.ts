import { type RefObject, useEffect } from 'react';
import { useMotionReady } from '@/shared/motion';

/** From this width on the beam is a background behind the text. */
const WIDE = '(min-width: 48.01rem)';

/** Links the hero's name to scrolling, in wide windows, once motion is ready. */
export function useScrollLink(word: RefObject<HTMLElement | null>): void {
  const ready = useMotionReady();

  useEffect(() => {
    if (!ready) return;
    const wide = matchMedia(WIDE);
    let unlink: (() => void) | undefined;
    let gone = false;
    const update = async () => {
      const { linkToScroll } = await import('./hero-scroll');
      unlink?.();
      unlink = undefined;
      if (!gone && wide.matches && word.current) unlink = linkToScroll(word.current);
    };
    const onChange = () => void update().catch((error) => console.warn(error));
    if (wide.matches) onChange();
    wide.addEventListener('change', onChange);
    return () => {
      gone = true;
      wide.removeEventListener('change', onChange);
      unlink?.();
    };
  }, [ready, word]);
}
