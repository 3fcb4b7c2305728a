import { expect, it } from 'vitest';
import { adminAssets, pageAssets, pageTemplates } from './page-assets.mjs';

const manifest = {
  'src/entry-client.tsx': { file: 'assets/entry.js', imports: ['_shared.js'] },
  'src/entry-start.ts': { file: 'assets/start.js' },
  'style.css': { file: 'assets/style.css' },
  '_shared.js': { file: 'assets/shared.js' },
  'src/features/content/pages/blogs-page.tsx': { file: 'assets/blogs.js', imports: ['_shared.js', '_card.js'] },
  '_card.js': { file: 'assets/card.js' },
  'src/shared/styles/fonts/latin-closed.woff2': { file: 'assets/closed.woff2' },
  'src/shared/styles/fonts/latin-text.woff2': { file: 'assets/text.woff2' },
};

it('lists the scripts of a page, imports first, each once, and the entry last', () => {
  expect(pageAssets(manifest, 'blogs')).toMatchObject({
    style: 'assets/style.css',
    start: 'assets/start.js',
    scripts: ['assets/shared.js', 'assets/card.js', 'assets/blogs.js', 'assets/entry.js'],
  });
});

it('preloads the typefaces of headings and of text', () => {
  expect(pageAssets(manifest, 'blogs').fonts).toEqual(['assets/closed.woff2', 'assets/text.woff2']);
});

it('names every page by its template', () => {
  expect(pageTemplates(manifest)).toEqual(['blogs']);
});

it('refuses a page that was not built', () => {
  expect(() => pageAssets(manifest, 'nowhere')).toThrow('nowhere');
});

it('gives the back office its own files', () => {
  const admin = { 'src/admin/admin.ts': { file: 'assets/admin.js', css: ['assets/admin.css'] } };
  expect(adminAssets(admin)).toMatchObject({ entry: 'assets/admin.js', styles: ['assets/admin.css'] });
});
