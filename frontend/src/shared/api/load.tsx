import type { ReactNode } from 'react';
import { isPrinting, sourceOf, token } from '@/shared/template/expression';
import type { ApiState } from './use-api';

interface LoadProps<T> {
  of: ApiState<T>;
  loading?: ReactNode;
  error?: ReactNode;
  empty?: ReactNode;
  children: (data: NonNullable<T>) => ReactNode;
}

/**
 * The four states of a call. What a state does not name shows nothing.
 *
 * In the template only three of them exist: the data, the empty list, and the error where the server had no data.
 */
export function Load<T>({ of, loading, error, empty, children }: LoadProps<T>): ReactNode {
  const source = isPrinting() ? sourceOf(of.data) : null;
  if (source === null) {
    if (of.status === 'loaded') return children(of.data as NonNullable<T>);
    return { loading, error, empty }[of.status];
  }
  return (
    <>
      {token(`{{#if ${source}}}`)}
      {children(of.data as NonNullable<T>)}
      {token(`{{else}}{{#if (eq ${source} null)}}`)}
      {error}
      {token('{{else}}')}
      {empty}
      {token('{{/if}}{{/if}}')}
    </>
  );
}
