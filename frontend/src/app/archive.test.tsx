import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { base, showEdition } from '@/shared/archive';
import { BrowserRouter, useLocation } from '@/shared/router';
import { Prose } from '@/shared/ui/page';
import { SiteLinks } from './links';

beforeEach(() => {
  showEdition({ base: '/archive/2024', past: true });
  window.history.replaceState(null, '', '/archive/2024/team');
});
afterEach(() => showEdition({ base: '', past: false }));

it('keeps links to pages in the archive, and no others', () => {
  render(
    <>
      <a href="/films/2?film=3#top">page</a>
      <a href="https://elsewhere.test/films">elsewhere</a>
      <a href="#content">below</a>
      <Prose of={'<a href="/team">team</a> <a href="/media/rules.pdf">rules</a> <a href="mailto:a@b.test">mail</a>'} />
    </>,
  );
  const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(hrefs).toEqual([
    '/archive/2024/films/2?film=3#top',
    'https://elsewhere.test/films',
    '#content',
    '/archive/2024/team',
    '/media/rules.pdf',
    'mailto:a@b.test',
  ]);
});

function Address() {
  return <output>{useLocation().pathname}</output>;
}

it('follows links inside the archive without loading a document, and leaves all others to the browser', () => {
  const load = vi.fn(async () => ({ default: () => null }));
  render(
    <BrowserRouter basename={base}>
      <SiteLinks routes={[{ path: '/films', template: 'films', load }]} />
      <Address />
      <a href="/films">inside</a>
      <a href={`${location.origin}/films`}>outside</a>
    </BrowserRouter>,
  );
  /** Whether the site handles a click itself. */
  const follows = (name: string) => {
    let isOurs = false;
    const last = (event: MouseEvent) => {
      isOurs = event.defaultPrevented;
      // The simulated browser opens no other document.
      event.preventDefault();
    };
    window.addEventListener('click', last, { once: true });
    fireEvent.click(screen.getByText(name));
    return isOurs;
  };
  expect(follows('outside')).toBe(false);
  expect(follows('inside')).toBe(true);
});
