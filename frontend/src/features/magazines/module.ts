import type { Feature } from '@/shared/feature';

/** Magazine issues as PDF. */
export const feature: Feature = {
  name: 'magazines',
  routes: [
    {
      path: '/kottaka',
      template: 'kottaka',
      load: () => import('./pages/kottaka-page'),
    },
  ],
};
