import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { useRotation } from '@/shared/motion';
import { PauseButton } from '../pause-button';
import styles from './carousel.module.css';
import { ProgressLine } from './progress-line';
import { useDragged, useEmbla } from './use-embla';
import { useRing } from './use-ring';

interface CarouselProps<T> {
  of: T[];
  label: string;
  /** How many slides are in view at which width; the numbers are in the style sheet. */
  slides: 'films' | 'posters' | 'three' | 'two' | 'one';
  /** Milliseconds between two moves. */
  delay: number;
  /** Whether a swipe may stop anywhere. */
  free?: boolean;
  /** The list may be long: there are never more than twelve slides, also in the server's HTML. */
  long?: boolean;
  /** Called when a long carousel is moved: if `of` is only the first part of a list, the rest will be needed. */
  onMove?: () => void;
  children: (item: T, index: number) => ReactNode;
}

/** A list that scrolls sideways; near the window it becomes an endless one that moves on by itself. */
export function Carousel<T extends { id: number }>(props: CarouselProps<T>) {
  const { of, label, slides, delay, free = false, long = false, onMove, children } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const { embla, moves, near } = useEmbla(viewport, free);
  const rotation = useRotation(delay, () => embla?.scrollNext(), moves && near);
  useDragged(embla, rotation.stop);
  const { position, slide, show } = useRing(embla);
  const [focused, setFocused] = useState(false);

  const moved = position !== 0;
  useEffect(() => {
    if (moved) onMove?.();
  }, [moved, onMove]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-roledescription="carousel" aria-label={label} className={styles.carousel} {...rotation.host}>
      {/* As long as it can be scrolled by hand, the keyboard has to scroll it too; a focused list keeps the focus. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only tracks whether it has the focus */}
      <div
        ref={viewport}
        className={styles.viewport}
        data-live={embla ? '' : undefined}
        tabIndex={embla && !focused ? undefined : 0}
        onFocus={({ target, currentTarget }) => setFocused(target === currentTarget)}
        onBlur={() => setFocused(false)}
      >
        <ul className={styles.track} data-slides={slides}>
          {long
            ? show(of.length).map((place, slide) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a slide stays, its content changes
                <li key={slide} className={styles.slide} data-first-view={slide === 0 ? '' : undefined}>
                  <Fragment key={place}>{children(of[place] as T, place)}</Fragment>
                </li>
              ))
            : of.map((item, index) => (
                <li key={item.id} className={styles.slide}>
                  {children(item, index)}
                </li>
              ))}
        </ul>
      </div>
      <div className={styles.controls} data-live={moves ? '' : undefined}>
        <button
          type="button"
          className={styles.move}
          aria-label={`Previous: ${label}`}
          onClick={() => embla?.scrollPrev()}
        >
          <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
            <path fill="none" stroke="currentColor" strokeWidth="2" d="M15 4l-8 8 8 8" />
          </svg>
        </button>
        <button type="button" className={styles.move} aria-label={`Next: ${label}`} onClick={() => embla?.scrollNext()}>
          <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
            <path fill="none" stroke="currentColor" strokeWidth="2" d="M9 4l8 8-8 8" />
          </svg>
        </button>
        <PauseButton rotation={rotation} label={label} />
        {moves ? <ProgressLine at={long ? position : slide} of={of.length} /> : null}
      </div>
    </div>
  );
}
