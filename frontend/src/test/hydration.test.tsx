// @vitest-environment jsdom
import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '@/app/app';
import { loadPage } from '@/app/pages';
import { type SiteRoute, siteRoutes } from '@/app/routes';
import { ready, renderPage } from '@/entry-server';
import type { Film } from '@/shared/api';
import { BrowserRouter } from '@/shared/router';
import { emptyData, hardData, site } from './hard-data';

const browserRoutes = siteRoutes(site.product.slug, site.modules);
// Loads the code of all pages before the timeout of any test starts.
await ready;

const fetching = vi.fn();
const complaints: unknown[][] = [];

beforeEach(() => {
  // Parts of other features on a film are rendered after hydration.
  const beside = () => Promise.resolve(new Response(JSON.stringify(hardData['/programme/'])));
  vi.stubGlobal('fetch', (address: string, ...more: unknown[]) =>
    address.startsWith('/api/programme/?film=') ? beside() : fetching(address, ...more),
  );
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words));
  vi.spyOn(console, 'warn').mockImplementation((...words) => void complaints.push(words));
});

afterEach(() => {
  fetching.mockReset();
  complaints.length = 0;
  vi.unstubAllGlobals();
});

/** Sample addresses of routes: an unknown page, a film category, a blog. */
function addressOf(route: SiteRoute, id: string): string {
  return route.path === '*' ? '/no/such/page' : route.path.replace(':id', id);
}

/**
 * Renders the page as the server does, hydrates it as the browser does, and returns the mismatches. `taken` are the
 * parameters that the server uses from the address's query, `search`.
 */
async function hydrate(route: SiteRoute, data: Record<string, unknown>, id: string, taken = {}, search = '') {
  const path = addressOf(route, id);
  const boot = {
    path,
    params: { id },
    query: { part: '1', ...taken },
    data,
    errors: {},
    api: '/api',
    base: '',
    past: false,
  };
  const [name] = Object.keys(taken);
  const named = name ? { name, value: `${boot.query[name as keyof typeof boot.query]}` } : null;
  const page = renderPage({ template: route.template, boot, base_url: 'https://festival.test', named, card: null });
  expect(page.error).toBeNull();

  await loadPage(route);
  window.history.replaceState(null, '', path + search);
  const root = document.createElement('div');
  root.innerHTML = page.body;
  document.body.append(root);

  const mismatches: unknown[] = [];
  const app = await act(async () =>
    hydrateRoot(
      root,
      <BrowserRouter>
        <App boot={boot} routes={browserRoutes} missing={route.path === '*'} />
      </BrowserRouter>,
      { onRecoverableError: (error) => mismatches.push(error) },
    ),
  );
  await act(async () => app.unmount());
  root.remove();
  return { mismatches, html: page.body, head: page.head };
}

const pages = browserRoutes.filter((route) => route.template !== 'admin-panel');

describe.each(pages.map((route) => [route.template, route] as const))('%s', (_, route) => {
  it.each([
    ['hard data', hardData, route.template === 'blog' ? '3' : '1'],
    ['empty lists', emptyData, '2'],
    ['data that the server could not send', { '/site/': site }, '1'],
  ])('hydrates with %s', async (_, data, id) => {
    const { mismatches, html, head } = await hydrate(route, data, id);
    expect(mismatches).toEqual([]);
    expect(complaints).toEqual([]);
    expect(fetching).not.toHaveBeenCalled();
    // The content security policy forbids both.
    expect(html).not.toMatch(/<[^>]*\sstyle=|<script/);
    expect(head.match(/<title>/g)).toHaveLength(1);
    expect(html + head).not.toMatch(/\[object|undefined|null(?!\w)/);
  });
});

describe('a category with a film in its address', () => {
  const route = pages.find(({ template }) => template === 'films-category') as SiteRoute;
  const films = hardData['/categories/1/films/'] as Film[];

  it.each(films.map((film) => film.id))('hydrates with film %s open', async (id) => {
    const { mismatches, html, head } = await hydrate(route, hardData, '1', { film: `${id}` }, `?film=${id}`);
    expect(mismatches).toEqual([]);
    expect(complaints).toEqual([]);
    expect(fetching).not.toHaveBeenCalled();
    expect(html).toMatch(/<dialog[^>]* open=""/);
    expect(head).toContain('content="video.movie"');
    expect(head).toContain(`<link rel="canonical" href="https://festival.test/films/1?film=${id}">`);
  });

  it.each(['?film=99', '?film=x', '?part=99'])(
    'hydrates without one where the server took nothing of %s',
    async (search) => {
      const { mismatches, html, head } = await hydrate(route, hardData, '1', {}, search);
      expect([...mismatches, ...complaints]).toEqual([]);
      expect(fetching).not.toHaveBeenCalled();
      expect(html).not.toContain('<dialog');
      expect(head).toContain('content="website"');
    },
  );

  it('hydrates with a later part, and a film open over it', async () => {
    const part = await hydrate(route, hardData, '1', { part: '2' }, '?part=2');
    expect([...part.mismatches, ...complaints]).toEqual([]);
    expect(part.html).toContain('href="/films/1?part=1"');
    expect(part.html).not.toContain('rel="next"');
    expect(part.head).toContain('<link rel="canonical" href="https://festival.test/films/1?part=2">');
    const film = await hydrate(route, hardData, '1', { film: '3', part: '2' }, '?part=2&film=3');
    expect([...film.mismatches, ...complaints]).toEqual([]);
    expect(film.html).toMatch(/<dialog[^>]* open=""/);
  });
});
