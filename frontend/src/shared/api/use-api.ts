import { useCallback, useEffect } from 'react';
import useSWR from 'swr';
import { apiSource, expression, isPrinting } from '@/shared/template/expression';
import { useFirstPage } from './boot';
import { ApiError } from './client';

/** How a call stands. */
export type ApiStatus = 'loading' | 'error' | 'empty' | 'loaded';

/** The data of an API path and how the call stands. */
export interface ApiState<T> {
  data: T;
  status: ApiStatus;
  retry: () => void;
}

/** How long a page waits before it quietly asks again for what its server could not send. */
const QUIET_RETRY_MS = 5000;

/**
 * The data of an API path, e.g. `useApi<Blog[]>('/blogs/')`.
 *
 * On the page that the server sent, the data come with the document and nothing is called; after a navigation SWR
 * fetches, with `wait` not yet; what the page that the server sent shows only `later` is fetched once and kept. Without a
 * key nothing is asked. `data` is only there where the status is `loaded` or `empty`: read it inside `<Load>` or `<When>`.
 */
export function useApi<T>(key: string | null, { wait = false, later = false } = {}): ApiState<T> {
  // The build never hydrates, so a component always takes the same branch.
  // biome-ignore lint/correctness/useHookAtTopLevel: see above
  return isPrinting() ? printedState<T>(key) : useLiveApi<T>(key, wait, later);
}

function printedState<T>(key: string | null): ApiState<T> {
  return { data: expression<T>(key === null ? 'null' : apiSource(key)), status: 'loaded', retry: () => {} };
}

function useLiveApi<T>(key: string | null, wait: boolean, later: boolean): ApiState<T> {
  const page = useFirstPage();
  const first = page.first && !later;
  const { data, error, mutate } = useSWR<T>(wait && !first ? null : key, {
    revalidateOnMount: first ? false : undefined,
    revalidateIfStale: !later,
  });
  const missing = first && key !== null && data === undefined;
  const gone =
    (key !== null && page.boot.errors[key]?.status === 404) || (error instanceof ApiError && error.status === 404);

  useEffect(() => {
    if (!missing || gone) return;
    const timer = setTimeout(() => void mutate(), QUIET_RETRY_MS);
    return () => clearTimeout(timer);
  }, [missing, gone, mutate]);

  const retry = useCallback(() => void mutate(), [mutate]);
  return { data: data as T, status: statusOf(data, missing || error !== undefined), retry };
}

function statusOf(data: unknown, failed: boolean): ApiStatus {
  if (data !== undefined && data !== null) return Array.isArray(data) && data.length === 0 ? 'empty' : 'loaded';
  return failed ? 'error' : 'loading';
}
