import { Suspense, useMemo, useState } from 'react';
import { type Boot, FirstPageContext } from '@/shared/api/boot';
import { ApiProvider } from '@/shared/api/use-api';
import { MotionProvider } from '@/shared/motion';
import { Route, Routes, useLocation } from '@/shared/router';
import { Status } from '@/shared/ui/page';
import { Toasts } from '@/shared/ui/toast/toasts';
import { ErrorBoundary } from './error-boundary';
import { Layout } from './layout/layout';
import { SiteLinks } from './links';
import { RoutePage } from './pages';
import type { SiteRoute } from './routes';
import { ScrollKeeper } from './scroll';

interface AppProps {
  boot: Boot;
  routes: SiteRoute[];
  /** The server has found that the first address does not exist, even if a route matches it. */
  missing?: boolean;
  /** Does not catch errors: for the server's second attempt, to learn what went wrong in the first. */
  unguarded?: boolean;
}

/** The whole site, inside a router. */
export function App({ boot, routes, missing = false, unguarded = false }: AppProps) {
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

  const pages = (
    <Routes>
      <Route element={<Layout />}>{shown.filter((route) => !route.bare).map(page)}</Route>
      {shown.filter((route) => route.bare).map(page)}
    </Routes>
  );

  return (
    <FirstPageContext value={firstPage}>
      <ApiProvider>
        <MotionProvider>
          <SiteLinks routes={routes} />
          <ScrollKeeper />
          {/* One boundary for all pages: while the next page's code is loading, the old page stays. */}
          {unguarded ? pages : <Suspense fallback={<Status>Loading...</Status>}>{pages}</Suspense>}
          <Toasts />
        </MotionProvider>
      </ApiProvider>
    </FirstPageContext>
  );
}
