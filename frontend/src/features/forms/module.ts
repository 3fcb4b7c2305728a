import type { Feature } from '@/shared/feature';

/** When the forms close, and how strict they are. */
const rules = () => ['/forms/'];

/** Registration, film submission and contact. */
export const forms: Feature = {
  name: 'forms',
  routes: [
    { path: '/form', template: 'form', load: () => import('./pages/form-page'), data: rules },
    { path: '/form-asian', template: 'form-asian', load: () => import('./pages/form-asian-page'), data: rules },
    { path: '/form-indian', template: 'form-indian', load: () => import('./pages/form-indian-page'), data: rules },
    {
      path: '/form-malayalam',
      template: 'form-malayalam',
      load: () => import('./pages/form-malayalam-page'),
      data: rules,
    },
    {
      path: '/submit-entry',
      template: 'submit-entry',
      load: () => import('./pages/submit-entry-page'),
      data: () => ['/pages/submit-entry/'],
    },
    { path: '/contact-us', template: 'contact', load: () => import('./pages/contact-page'), data: rules },
    { path: '/success', template: 'success', load: () => import('./pages/success-page') },
  ],
};
