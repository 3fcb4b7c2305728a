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
  /** Where it enters from and leaves to. */
  pose: Pose;
};

/** How an item of a list enters, soon after the previous one; items far down do not wait for all of them. */
export const inTurn = (index: number): Pose => ({
  from: { opacity: 0, transform: 'translateY(16px)' },
  to: {
    opacity: 1,
    transform: 'translateY(0px)',
    transition: { duration: 0.35, ease: 'easeOut', delay: 0.05 * Math.min(index, 7) },
    transitionEnd: { transform: 'none' },
  },
});

/** Poses on entering, at rest and on leaving; each with its own `transition`. */
export interface Pose {
  from: TargetAndTransition;
  to: TargetAndTransition;
  /** Inside `<Presence>`; by default the reverse of entering. */
  away?: TargetAndTransition;
}

/**
 * An element that animates in and, inside `<Presence>`, out. It only moves if motion was ready when it was created: in
 * the HTML, and before that, it is in its final position without a style attribute.
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
