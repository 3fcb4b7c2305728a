import { expect, it } from 'vitest';
import { adminAssets, pageAssets } from './page-assets.mjs';

const manifest = {
  'src/entry-client.tsx': { file: 'assets/entry.js', css: ['assets/entry.css'], imports: ['_shared.js'] },
  '_shared.js': { file: 'assets/shared.js', css: ['assets/shared.css'] },
  'src/features/content/pages/blogs-page.tsx': {
    file: 'assets/blogs.js',
    css: ['assets/blogs.css'],
    imports: ['_shared.js', '_card.js'],
  },
  '_card.js': { file: 'assets/card.js' },
  'src/shared/styles/fonts/latin-closed.woff2': { file: 'assets/closed.woff2' },
  'src/shared/styles/fonts/malayalam-open.woff2': { file: 'assets/malayalam.woff2' },
  'src/admin/admin.ts': { file: 'assets/admin.js', css: ['assets/admin.css'] },
};

it('names what the first paint needs, imports first and each file once', () => {
  expect(pageAssets(manifest, 'blogs', '')).toMatchObject({
    entry: 'assets/entry.js',
    styles: ['assets/shared.css', 'assets/entry.css', 'assets/blogs.css'],
    scripts: ['assets/shared.js', 'assets/card.js', 'assets/blogs.js'],
  });
});

it('asks at once for the Malayalam face where the heading speaks both', () => {
  const fonts = (/** @type {string} */ body) => pageAssets(manifest, 'blogs', body).fonts;
  const site = '<header><nav></nav></header>';
  expect(fonts(`${site}<header><h1>Blog</h1></header><h2 lang="ml">മ</h2>`)).toEqual(['assets/closed.woff2']);
  expect(fonts(`${site}<header><h1>Blog</h1><p lang="ml">മ</p></header>`)).toEqual([
    'assets/closed.woff2',
    'assets/malayalam.woff2',
  ]);
});

it('refuses a page that was not built', () => {
  expect(() => pageAssets(manifest, 'nowhere', '')).toThrow('nowhere');
});

it('gives the back office its own files and none of the website', () => {
  expect(adminAssets(manifest)).toMatchObject({ entry: 'assets/admin.js', styles: ['assets/admin.css'], scripts: [] });
});
