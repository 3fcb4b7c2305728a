import { type FeatureBundle, LazyMotion, MotionConfig } from 'framer-motion';
import { createContext, type ReactNode, startTransition, useContext, useState } from 'react';
import { pageIdle } from '../page-idle';
import { MOVES_LITTLE, useReducedMotion } from './use-reduced-motion';

const LoadedContext = createContext(false);

/**
 * All animated elements are inside one of these. The animation code is loaded when the browser is idle, and never for
 * visitors who asked for reduced motion; until then, or if it cannot be loaded, everything is simply in its final
 * position.
 */
export function MotionProvider({ children }: { children: ReactNode }) {
  const [loaded, setLoaded] = useState(false);
  const load = async () => {
    const features = await loadWhenIdle();
    // In the same render as the library's own update.
    startTransition(() => setLoaded(true));
    return features;
  };
  return (
    <LazyMotion features={load} strict>
      <MotionConfig reducedMotion="user">
        <LoadedContext value={loaded}>{children}</LoadedContext>
      </MotionConfig>
    </LazyMotion>
  );
}

/** Whether things may move: the code is loaded, and the visitor did not ask for reduced motion. */
export function useMotionReady(): boolean {
  const loaded = useContext(LoadedContext);
  return !useReducedMotion() && loaded;
}

/** Loads the features when the page is idle. It never rejects: without them the page does not move. */
async function loadWhenIdle(): Promise<FeatureBundle> {
  await motionAllowed();
  await pageIdle();
  try {
    return (await import('./features')).default;
  } catch (error) {
    console.warn(error);
    return new Promise(() => {});
  }
}

function motionAllowed(): Promise<void> {
  const media = matchMedia(MOVES_LITTLE);
  if (!media.matches) return Promise.resolve();
  return new Promise((done) => media.addEventListener('change', () => done(), { once: true }));
}
