import type { ReactNode } from 'react';

/** The grounds on which everything has to stand. */
export const grounds = ['night', 'lit', 'paper'] as const;

/** One of them. */
export type Ground = (typeof grounds)[number];

/** A component, and the states in which the guide shows it. */
export interface Specimen {
  name: string;
  /** What is shown; the test looks for the components of shared/ui among them. */
  of: unknown;
  /** Its place in the source, from src/. */
  file: string;
  /** It takes the whole width: the grounds stand below one another. */
  wide?: boolean;
  /** The grounds that it is made for, where these are not all. */
  on?: readonly Ground[];
  /** The states by name; ids differ from ground to ground. */
  states: Record<string, (ground: Ground) => ReactNode>;
}
