import { AnimatePresence } from 'framer-motion';
import type { ReactElement, ReactNode } from 'react';

interface PresenceProps<T> {
  of: T | null | undefined | false;
  /** Content that exists as long as there is a value; the key distinguishes one value from the next. */
  children: (value: T) => ReactElement;
}

/** A condition whose content may animate out after the value is gone. */
export function Presence<T>({ of, children }: PresenceProps<T>): ReactNode {
  return <AnimatePresence initial={false}>{of ? children(of) : null}</AnimatePresence>;
}
