import type { ReactNode } from 'react';
import { isPrinting, sourceOf, token } from './expression';
import { isTruthy } from './truthy';

interface WhenProps<T> {
  value: T;
  /** Shown where the value is null, empty or false. */
  otherwise?: ReactNode;
  /** A function where the children need the value: it is only called where there is one. */
  children: ReactNode | ((value: NonNullable<T>) => ReactNode);
}

/** A condition on data: `{{#if}}` in the template, an ordinary condition in the browser. */
export function When<T>({ value, otherwise, children }: WhenProps<T>): ReactNode {
  const content = () => (typeof children === 'function' ? children(value as NonNullable<T>) : children);
  const source = isPrinting() ? sourceOf(value) : null;
  if (source === null) return isTruthy(value) ? content() : otherwise;
  return (
    <>
      {token(`{{#if ${source}}}`)}
      {content()}
      {otherwise ? token('{{else}}') : null}
      {otherwise}
      {token('{{/if}}')}
    </>
  );
}

/** `When` for attributes and other strings. */
export function choose(value: unknown, then: string, otherwise = ''): string {
  const source = isPrinting() ? sourceOf(value) : null;
  if (source === null) return isTruthy(value) ? then : otherwise;
  return token(`{{#if ${source}}}`) + then + token('{{else}}') + otherwise + token('{{/if}}');
}
