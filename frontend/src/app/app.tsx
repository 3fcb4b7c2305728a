import { Suspense, useMemo, useState } from 'react';
import { ApiProvider } from '@/shared/api/api-provider';
import { type Boot, FirstPageContext } from '@/shared/api/boot';
import { Route, Routes, useLocation } from '@/shared/router';
import { Status } from '@/shared/ui/page';
import { ErrorBoundary } from './error-boundary';
import { Layout } from './layout/layout';
import { SiteLinks } from './links';
import { RoutePage } from './pages';
import type { SiteRoute } from './routes';
import { ScrollKeeper } from './scroll';

interface AppProps {
  boot: Boot;
  routes: SiteRoute[];
  /** The server says that the first address does not exist, whatever the routes say. */
  missing?: boolean;
}

/** The whole site, inside a router. */
export function App({ boot, routes, missing = false }: AppProps) {
  const { pathname, search } = useLocation();
  const [came] = useState({ pathname, search });
  const [first, setFirst] = useState(true);
  if (first && pathname !== came.pathname) setFirst(false);

  const firstPage = useMemo(() => ({ boot, first, search: came.search }), [boot, first, came]);
  const page = (route: SiteRoute) => (
    <Route
      key={route.path}
      path={route.path}
      element={
        <ErrorBoundary key={pathname}>
          <RoutePage route={route} />
        </ErrorBoundary>
      }
    />
  );
  const shown = missing && first ? routes.filter((route) => route.path === '*') : routes;

  return (
    <FirstPageContext value={firstPage}>
      <ApiProvider>
        <SiteLinks routes={routes} />
        <ScrollKeeper />
        {/* One boundary for all pages: while the next one's code is on its way, the old one stays. */}
        <Suspense fallback={<Status>Loading...</Status>}>
          <Routes>
            <Route element={<Layout />}>{shown.filter((route) => !route.bare).map(page)}</Route>
            {shown.filter((route) => route.bare).map(page)}
          </Routes>
        </Suspense>
      </ApiProvider>
    </FirstPageContext>
  );
}
