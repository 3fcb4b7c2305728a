import type { Feature } from '@/shared/feature';

/** Texts that organisers write: blogs and plain pages. */
export const content: Feature = {
  name: 'content',
  routes: [
    { path: '/blogs', template: 'blogs', load: () => import('./pages/blogs-page'), data: () => ['/blogs/'] },
    {
      path: '/blog/:id',
      template: 'blog',
      load: () => import('./pages/blog-page'),
      data: ({ id }) => [`/blog/${id}/`],
    },
    {
      path: '/about-us',
      template: 'about',
      load: () => import('./pages/about-page'),
      data: () => ['/pages/about-us/'],
    },
    {
      path: '/privacy-and-terms',
      template: 'privacy',
      load: () => import('./pages/privacy-page'),
      data: () => ['/pages/privacy-and-terms/'],
    },
    { path: '/download', template: 'download', load: () => import('./pages/download-page') },
  ],
};
