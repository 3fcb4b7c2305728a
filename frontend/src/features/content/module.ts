import type { Feature } from '@/shared/feature';

/** Texts that organisers write: blogs and plain pages. */
export const feature: Feature = {
  name: 'content',
  routes: [
    { path: '/blogs', template: 'blogs', load: () => import('./pages/blogs-page') },
    {
      path: '/blog/:id',
      template: 'blog',
      load: () => import('./pages/blog-page'),
    },
    {
      path: '/about-us',
      template: 'about',
      load: () => import('./pages/about-page'),
    },
    {
      path: '/privacy-and-terms',
      template: 'privacy',
      load: () => import('./pages/privacy-page'),
    },
    { path: '/download', template: 'download', load: () => import('./pages/download-page') },
  ],
};
