import type { HTMLMotionProps, TargetAndTransition } from 'framer-motion';
import * as m from 'framer-motion/m';
import { type Ref, useState } from 'react';
import { useMotionReady } from './motion-provider';

const elements = { div: m.div, li: m.li, p: m.p, span: m.span };

type AppearProps<K extends keyof typeof elements> = Omit<
  HTMLMotionProps<K>,
  'initial' | 'animate' | 'exit' | 'style' | 'transition' | 'ref'
> & {
  as?: K;
  ref?: Ref<HTMLElement>;
  /** How it comes in and where it goes. */
  pose: Pose;
};

/** How a thing of a list comes, soon after the one before it; those that are far down do not wait for all of them. */
export const inTurn = (index: number): Pose => ({
  from: { opacity: 0, transform: 'translateY(16px)' },
  to: {
    opacity: 1,
    transform: 'translateY(0px)',
    transition: { duration: 0.35, ease: 'easeOut', delay: 0.05 * Math.min(index, 7) },
    transitionEnd: { transform: 'none' },
  },
});

/** Where a thing comes from, how it stands, and where it goes; each with its own `transition`. */
export interface Pose {
  from: TargetAndTransition;
  to: TargetAndTransition;
  /** Inside of `<Presence>`; by default the way back. */
  away?: TargetAndTransition;
}

/**
 * An element that comes in and, inside of `<Presence>`, goes out. It only moves where motion was ready when it was made:
 * in the HTML, and before, it stands where it belongs and has no style of its own.
 */
export function Appear<K extends keyof typeof elements = 'div'>({ as, pose, ...rest }: AppearProps<K>) {
  const ready = useMotionReady();
  const [moves] = useState(ready);
  const { from, to, away = from } = pose;
  const Element = elements[as ?? 'div'] as typeof m.div;
  return (
    <Element
      {...(rest as object)}
      initial={moves ? from : false}
      animate={moves ? to : undefined}
      exit={ready ? away : undefined}
    />
  );
}
