import type { Feature } from '@/shared/feature';

/** Registration, film submission and contact. */
export const feature: Feature = {
  name: 'forms',
  routes: [
    { path: '/form', template: 'form', load: () => import('./pages/form-page') },
    { path: '/form-asian', template: 'form-asian', load: () => import('./pages/form-asian-page') },
    { path: '/form-indian', template: 'form-indian', load: () => import('./pages/form-indian-page') },
    {
      path: '/form-malayalam',
      template: 'form-malayalam',
      load: () => import('./pages/form-malayalam-page'),
    },
    {
      path: '/submit-entry',
      template: 'submit-entry',
      load: () => import('./pages/submit-entry-page'),
    },
    { path: '/contact-us', template: 'contact', load: () => import('./pages/contact-page') },
    { path: '/success', template: 'success', load: () => import('./pages/success-page') },
  ],
};
