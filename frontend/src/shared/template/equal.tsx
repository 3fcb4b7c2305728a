import type { ReactNode } from 'react';
import { isPrinting, sourceOf, token } from './expression';

interface EqualProps {
  value: string;
  /** A word of ours, without quotes. */
  to: string;
  children: ReactNode;
}

/** Shows its children where a value of the data is this very word: `{{#if (eq ..)}}` in the template. */
export function Equal({ value, to, children }: EqualProps): ReactNode {
  const source = isPrinting() ? sourceOf(value) : null;
  if (source === null) return value === to ? children : null;
  return (
    <>
      {token(`{{#if (eq ${source} ${JSON.stringify(to)})}}`)}
      {children}
      {token('{{/if}}')}
    </>
  );
}
