import type { ModuleName } from '@/shared/api/types';
import type { PageRoute } from '@/shared/feature';
import { features } from './features';

/** A page with its resolved address. */
export interface SiteRoute extends PageRoute {
  path: string;
}

/** Pages that belong to no feature; the last one matches every unknown address. */
const own: PageRoute[] = [
  { path: '/', template: 'home', load: () => import('./home/home-page') },
  { path: '/admin-panel', template: 'admin-panel', bare: true, load: () => import('./pages/admin-panel-page') },
  {
    path: '/analytics-ga4-view-via-looker',
    template: 'analytics',
    load: () => import('./pages/analytics-page'),
    framing: true,
  },
  { path: '*', template: 'not-found', load: () => import('./pages/not-found-page') },
];

/** The pages of the enabled modules. */
export function siteRoutes(slug: string, modules: Partial<Record<ModuleName, boolean>>): SiteRoute[] {
  const routes = [
    ...features.filter((feature) => modules[feature.name] !== false).flatMap((feature) => feature.routes),
    ...own,
  ];
  return routes.map((route) => ({
    ...route,
    path: typeof route.path === 'function' ? route.path(slug) : route.path,
  }));
}
