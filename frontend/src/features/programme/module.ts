import type { Feature } from '@/shared/feature';

/** The programme: what is shown when and where. */
export const programme: Feature = {
  name: 'programme',
  routes: [
    {
      path: '/programme',
      template: 'programme',
      load: () => import('./pages/programme-page'),
      data: () => ['/programme/', '/programme/today/'],
    },
  ],
  besideFilm: () => import('./components/film-screenings'),
  whenOff: () => import('./model/forget'),
};
