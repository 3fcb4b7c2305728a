import type { Feature } from '@/shared/feature';

/** Competition films: the listing of all categories and the page of one. */
export const feature: Feature = {
  name: 'films',
  routes: [
    { path: '/films', template: 'films', load: () => import('./pages/films-page') },
    {
      path: '/films/:id',
      template: 'films-category',
      load: () => import('./pages/films-category-page'),
    },
    {
      path: '/films/:id/a-z',
      template: 'films-index',
      load: () => import('./pages/films-index-page'),
    },
  ],
};
