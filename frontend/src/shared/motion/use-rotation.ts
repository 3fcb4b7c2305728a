import { type FocusEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useReducedMotion } from './use-reduced-motion';

/** What moves by itself: whether it moves, the visitor's switch, and the listeners of the element that holds it. */
export interface Rotation {
  running: boolean;
  /** The visitor has stopped it. */
  paused: boolean;
  toggle: () => void;
  /** Stops it for good, as the switch does: the visitor has taken it into their own hands. */
  stop: () => void;
  host: {
    onPointerEnter: (event: PointerEvent) => void;
    onPointerLeave: (event: PointerEvent) => void;
    onFocus: (event: FocusEvent) => void;
    onBlur: () => void;
  };
}

/**
 * Calls `step` every `delay` milliseconds, but not while the visitor points at the host, has the focus in it, has
 * paused it, looks at another tab, or asked for reduced motion. A delay of null only keeps the state (for CSS motion).
 */
export function useRotation(delay: number | null, step: () => void, enabled = true): Rotation {
  const [paused, setPaused] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const reduced = useReducedMotion();
  const running = enabled && !paused && !hovered && !focused && !reduced;

  const stop = useCallback(() => setPaused(true), []);
  const latest = useRef(step);
  useEffect(() => {
    latest.current = step;
  });

  useEffect(() => {
    if (!running || delay === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, delay);
    return () => clearInterval(timer);
  }, [running, delay]);

  return {
    running,
    paused,
    toggle: () => setPaused((paused) => !paused),
    stop,
    host: {
      // A finger does not hover; it would hold the motion for ever.
      onPointerEnter: (event) => setHovered(event.pointerType === 'mouse'),
      onPointerLeave: () => setHovered(false),
      onFocus: (event) => setFocused(!event.target.closest('[data-pause]')),
      onBlur: () => setFocused(false),
    },
  };
}
