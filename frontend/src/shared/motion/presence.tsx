import { AnimatePresence } from 'framer-motion';
import type { ReactElement, ReactNode } from 'react';

interface PresenceProps<T> {
  of: T | null | undefined | false;
  /** What is there as long as there is a value; a key tells one from the next. */
  children: (value: T) => ReactElement;
}

/** A condition whose content may still go out when the value is gone. */
export function Presence<T>({ of, children }: PresenceProps<T>): ReactNode {
  return <AnimatePresence initial={false}>{of ? children(of) : null}</AnimatePresence>;
}
