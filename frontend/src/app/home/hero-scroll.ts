import { scroll } from 'framer-motion';
import { animate } from 'framer-motion/dom/mini';

/**
 * Makes the name lag a little while it scrolls away; returns a function that stops this. The browser's own scroll
 * timeline drives it where there is one, off the main thread. It begins when the name reaches the header: the block
 * itself begins within the document's scroll padding, so that a timeline of the block would have begun before anybody
 * scrolled.
 */
export function linkToScroll(word: HTMLElement): () => void {
  const drift = animate(word, { transform: ['translateY(0%)', 'translateY(10%)'] }, { duration: 1, ease: 'linear' });
  const unlink = scroll(drift, { target: word, offset: ['start start', 'end start'] });
  return () => {
    unlink();
    drift.cancel();
    word.style.transform = '';
  };
}
