import { useSyncExternalStore } from 'react';

/** The media query for reduced motion. */
export const MOVES_LITTLE = '(prefers-reduced-motion: reduce)';

function subscribe(changed: () => void) {
  const media = matchMedia(MOVES_LITTLE);
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

/**
 * Whether the visitor asked for reduced motion; true in the first render, so that nothing starts before it is known.
 */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(MOVES_LITTLE).matches,
    () => true,
  );
}
