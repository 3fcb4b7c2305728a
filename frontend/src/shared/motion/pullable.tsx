import { type FeatureBundle, LazyMotion, useDragControls } from 'framer-motion';
import { type ReactNode, useEffect, useState } from 'react';
import { Appear, type Pose } from './appear';
import { useMotionReady } from './motion-provider';
import styles from './pullable.module.css';

/** How far something has to be pulled, in pixels, or how fast, in pixels per second. */
const FAR = 120;
const FAST = 600;

let features: FeatureBundle | null = null;

/** Loads the code for dragging on touch devices; to be called where something pullable may open. */
export function usePulling(): void {
  const ready = useMotionReady();
  useEffect(() => {
    if (!ready || features || !matchMedia('(pointer: coarse)').matches) return;
    import('./drag-features').then(
      (loaded) => {
        features = loaded.default;
      },
      // Without it there are buttons.
      (error) => console.warn(error),
    );
  }, [ready]);
}

interface PullableProps {
  pose: Pose;
  /** Called when it was pulled down far or fast enough. */
  onPulled: () => void;
  className?: string;
  'data-surface'?: string;
  'data-background'?: boolean;
  children: ReactNode;
}

/** Content that a finger can pull down by its grip; without touch, or before the code is loaded, there is no grip. */
export function Pullable({ onPulled, children, ...rest }: PullableProps) {
  const [loaded] = useState(features);
  const controls = useDragControls();
  if (!loaded) return <Appear {...rest}>{children}</Appear>;
  return (
    <LazyMotion features={loaded} strict>
      <Appear
        {...rest}
        drag="y"
        dragControls={controls}
        dragListener={false}
        dragConstraints={{ top: 0, bottom: 0 }}
        dragElastic={{ top: 0, bottom: 0.9 }}
        onDragEnd={(_, { offset, velocity }) => {
          if (offset.y > FAR || velocity.y > FAST) onPulled();
        }}
      >
        {/* For touch only: everybody else has the button next to it. */}
        <div className={styles.rail} aria-hidden="true">
          <div className={styles.grip} data-grip onPointerDown={(event) => controls.start(event)} />
        </div>
        {children}
      </Appear>
    </LazyMotion>
  );
}
