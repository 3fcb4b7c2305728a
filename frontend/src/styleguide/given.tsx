import { type ReactNode, useMemo } from 'react';
import type { Site } from '@/shared/api';
import { ApiProvider } from '@/shared/api/api-provider';
import { FirstPageContext } from '@/shared/api/boot';

/** What components ask the application for: the facts of the site. */
export function Given({ site, children }: { site: Site; children: ReactNode }) {
  const page = useMemo(
    () => ({
      boot: { data: { '/site/': site }, errors: {}, path: '', params: {}, query: {}, api: '/api' },
      first: true,
      search: '',
    }),
    [site],
  );
  return (
    <FirstPageContext value={page}>
      <ApiProvider>{children}</ApiProvider>
    </FirstPageContext>
  );
}
