import type { Feature } from '@/shared/feature';

/** Toys, and what children wish for. */
export const feature: Feature = {
  name: 'toys',
  routes: [{ path: '/toys', template: 'toys', load: () => import('./pages/toys-page') }],
};
