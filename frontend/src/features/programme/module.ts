import type { Feature } from '@/shared/feature';

/** The programme: what is shown when and where. */
export const feature: Feature = {
  name: 'programme',
  routes: [
    {
      path: '/programme',
      template: 'programme',
      load: () => import('./pages/programme-page'),
    },
  ],
  besideFilm: () => import('./components/film-screenings'),
  whenOff: () => import('./model/forget'),
};
