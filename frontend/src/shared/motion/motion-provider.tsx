import { type FeatureBundle, LazyMotion, MotionConfig } from 'framer-motion';
import { createContext, type ReactNode, startTransition, useContext, useState } from 'react';
import { pageIdle } from '../page-idle';
import { MOVES_LITTLE, useReducedMotion } from './use-reduced-motion';

const LoadedContext = createContext(false);

/**
 * Everything that moves is inside of one of these. The code that animates is loaded when the browser has nothing else to
 * do, and never for visitors who asked for little motion; until then, or if it cannot be loaded, everything simply is
 * where it belongs.
 */
export function MotionProvider({ children }: { children: ReactNode }) {
  const [loaded, setLoaded] = useState(false);
  const load = async () => {
    const features = await loadWhenIdle();
    // Together with what the library itself renders anew.
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

/** Whether things may move: the code for it is there, and the visitor did not ask for little motion. */
export function useMotionReady(): boolean {
  const loaded = useContext(LoadedContext);
  return !useReducedMotion() && loaded;
}

/** The features, once there is time for them. It never fails: whoever cannot load them has a page that stands still. */
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
