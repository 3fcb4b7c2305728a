import type { Feature } from '@/shared/feature';

/** The festival itself: its people, its years, and its sister festivals. */
export const feature: Feature = {
  name: 'festivals',
  routes: [
    {
      path: (slug) => `/twenty-${slug}`,
      template: 'twenty',
      load: () => import('./pages/twenty-page'),
    },
    { path: '/history', template: 'history', load: () => import('./pages/history-page') },
    { path: '/team', template: 'team', load: () => import('./pages/team-page') },
    {
      path: '/isff-2025',
      template: 'isff',
      load: () => import('./pages/isff-page'),
    },
    {
      path: '/ifff-9th',
      template: 'ifff',
      load: () => import('./pages/ifff-page'),
    },
    {
      path: '/ndsf-2025',
      template: 'ndsf',
      load: () => import('./pages/ndsf-page'),
    },
  ],
};
