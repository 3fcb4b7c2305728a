import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import useSWR, { SWRConfig, useSWRConfig } from 'swr';
import { useFirstPage } from './boot';
import { ApiError, fetchJson } from './client';

/** State of a call, and its data once loaded; a list without entries is `empty`. */
export type ApiState<T> = ApiCall &
  (
    | { status: 'loading'; data?: undefined }
    | { status: 'error'; data?: undefined }
    | { status: 'empty'; data: NonNullable<T> }
    | { status: 'loaded'; data: NonNullable<T> }
  );

interface ApiCall {
  /** Not found: retrying would not help. */
  missing: boolean;
  /** HTTP status of the response; missing if the page was sent without the data. */
  gone: boolean;
  retry: () => void;
}

/** How long a page waits before it quietly requests data that the server could not send. */
const QUIET_RETRY_MS = 5000;

/**
 * The data of an API path, e.g. `useApi<Blog[]>('/blogs/')`.
 *
 * On the page that the server sent, the data come with the document and nothing is fetched; after a navigation SWR
 * fetches, with `wait` not yet; data that the first page shows only `later` are fetched once and cached. Without a key
 * nothing is fetched.
 */
export function useApi<T>(key: string | null, { wait = false, later = false } = {}): ApiState<T> {
  const page = useFirstPage();
  const first = page.first && !later;
  const { cache } = useSWRConfig();
  // Cached data are used at once: after Back the page has the same height as before.
  const known = key !== null && (key in page.boot.data || cache.get(key)?.data !== undefined);
  const { data, error, mutate } = useSWR<T>(wait && !first && !known ? null : key, {
    revalidateOnMount: first ? false : undefined,
    revalidateIfStale: !later,
  });
  const lacking = first && key !== null && data === undefined;
  const answeredGone = error instanceof ApiError && error.status === 404;
  const gone = (key !== null && page.boot.errors[key]?.status === 404) || answeredGone;

  useEffect(() => {
    if (!lacking || gone) return;
    const timer = setTimeout(() => void mutate(), QUIET_RETRY_MS);
    return () => clearTimeout(timer);
  }, [lacking, gone, mutate]);

  const retry = useCallback(() => void mutate(), [mutate]);
  const call = { missing: gone, gone: answeredGone, retry };
  if (data === undefined || data === null)
    return { ...call, status: lacking || error !== undefined ? 'error' : 'loading' };
  return { ...call, status: Array.isArray(data) && data.length === 0 ? 'empty' : 'loaded', data };
}

/** SWR over the boot data: quiet about failures, and no requests on the first page. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const { boot } = useFirstPage();
  const value = useMemo(
    () => ({
      fallback: boot.data,
      fetcher: (key: string) => fetchJson(boot.api, key),
      revalidateOnFocus: false,
      shouldRetryOnError: (error: unknown) => !(error instanceof ApiError && error.status === 404),
      onError: (error: unknown) => console.warn(error),
    }),
    [boot],
  );
  return <SWRConfig value={value}>{children}</SWRConfig>;
}
