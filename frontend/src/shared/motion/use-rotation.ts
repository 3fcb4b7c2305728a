import { type FocusEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useReducedMotion } from './use-reduced-motion';

/** State of an automatic rotation: whether it moves, the visitor's switch, and listeners for the host element. */
export interface Rotation {
  running: boolean;
  /** Whether the visitor has stopped it. */
  paused: boolean;
  toggle: () => void;
  /** Stops it for good, as the switch does: the visitor has taken control. */
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
      // Touch has no hover: it would stop the motion for ever.
      onPointerEnter: (event) => setHovered(event.pointerType === 'mouse'),
      onPointerLeave: () => setHovered(false),
      onFocus: (event) => setFocused(!event.target.closest('[data-pause]')),
      onBlur: () => setFocused(false),
    },
  };
}
