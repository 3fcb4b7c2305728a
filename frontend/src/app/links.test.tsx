import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BrowserRouter, useLocation } from '@/shared/router';
import { SiteLinks } from './links';
import type { SiteRoute } from './routes';

const load = vi.fn(async () => ({ default: () => null }));
const routes: SiteRoute[] = [
  { path: '/blog/:id', template: 'blog', load },
  { path: '/admin-panel', template: 'admin-panel', bare: true, load },
  { path: '*', template: 'not-found', load },
];

function Address() {
  const { pathname, search, hash } = useLocation();
  return <output>{pathname + search + hash}</output>;
}

function show(link: React.ReactNode) {
  window.history.replaceState(null, '', '/here');
  // Otherwise code that an earlier test has loaded would not be loaded again.
  const unloaded = routes.map((route) => ({ ...route, load: () => load() }));
  render(
    <BrowserRouter>
      <SiteLinks routes={unloaded} />
      <Address />
      {link}
    </BrowserRouter>,
  );
  return screen.getByText('Third blog');
}

/** Whether the site handled the click itself, and its address afterwards. */
function click(link: HTMLElement, init: MouseEventInit = {}) {
  // Keeps the simulated browser from following the link itself.
  let ours = false;
  const last = (event: MouseEvent) => {
    ours = event.defaultPrevented;
    event.preventDefault();
  };
  window.addEventListener('click', last, { once: true });
  fireEvent.click(link, init);
  return { ours, address: screen.getByRole('status').textContent };
}

beforeEach(() => load.mockClear());

describe('a plain link', () => {
  it('to a page of the site is followed without loading a document', () => {
    expect(click(show(<a href="/blog/3?a=1#b">Third blog</a>))).toEqual({ ours: true, address: '/blog/3?a=1#b' });
  });

  it.each([
    [
      'to another site',
      <a key="1" href="https://elsewhere.test/blog/3">
        Third blog
      </a>,
    ],
    [
      'to a file',
      <a key="2" href="/media/rules.pdf">
        Third blog
      </a>,
    ],
    [
      'to the admin area',
      <a key="3" href="/admin-panel">
        Third blog
      </a>,
    ],
    [
      'into a new tab',
      <a key="4" href="/blog/3" target="_blank" rel="noopener">
        Third blog
      </a>,
    ],
    [
      'to a download',
      <a key="5" href="/blog/3" download="">
        Third blog
      </a>,
    ],
    [
      'to a place on the page',
      <a key="6" href="/here#there">
        Third blog
      </a>,
    ],
  ])('%s is the browser’s', (_, link) => {
    expect(click(show(link))).toEqual({ ours: false, address: '/here' });
  });

  it('with a key held down is left to the browser', () => {
    expect(click(show(<a href="/blog/3">Third blog</a>), { ctrlKey: true }).ours).toBe(false);
  });

  it('fetches its page’s code when it is pointed at or focused, once', () => {
    const link = show(<a href="/blog/3">Third blog</a>);
    fireEvent.pointerOver(link);
    fireEvent.focusIn(link);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('fetches nothing while the device is offline', () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    fireEvent.pointerOver(show(<a href="/blog/3">Third blog</a>));
    expect(load).not.toHaveBeenCalled();
  });
});
