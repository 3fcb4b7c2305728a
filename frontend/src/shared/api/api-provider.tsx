import { type ReactNode, useMemo } from 'react';
import { SWRConfig } from 'swr';
import { useFirstPage } from './boot';
import { ApiError, fetchJson } from './client';

/** SWR over the boot data: quiet about failures, and no call while the first page shows. */
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
