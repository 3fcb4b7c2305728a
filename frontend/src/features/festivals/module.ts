import type { Feature } from '@/shared/feature';

/** The festival itself: its people, its years, and the festivals beside it. */
export const festivals: Feature = {
  name: 'festivals',
  routes: [
    {
      path: (slug) => `/twenty-${slug}`,
      template: 'twenty',
      load: () => import('./pages/twenty-page'),
      data: () => ['/namesakes/', '/awards/', '/pages/twenty/'],
    },
    { path: '/history', template: 'history', load: () => import('./pages/history-page'), data: () => ['/history/'] },
    { path: '/team', template: 'team', load: () => import('./pages/team-page'), data: () => ['/team/'] },
    {
      path: '/isff-2025',
      template: 'isff',
      load: () => import('./pages/isff-page'),
      data: () => ['/pages/isff-2025/', '/sessions/isff-2025/', '/packages/isff-2025/'],
    },
    {
      path: '/ifff-9th',
      template: 'ifff',
      load: () => import('./pages/ifff-page'),
      data: () => ['/pages/ifff-9th/', '/sessions/ifff-9th/'],
    },
    {
      path: '/ndsf-2025',
      template: 'ndsf',
      load: () => import('./pages/ndsf-page'),
      data: () => ['/winners/', '/pages/ndsf-2025/', '/sessions/ndsf-2025/'],
    },
  ],
};
