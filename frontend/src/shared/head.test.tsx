import { render } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';

const content = (selector: string) => document.head.querySelector(`meta[${selector}]`)?.getAttribute('content') ?? null;

beforeEach(() => {
  vi.resetModules();
  document.head.innerHTML = `
    <meta name="description" content="of the server"><meta property="og:type" content="website">
    <meta property="og:image" content="https://festival.test/card.jpg"><meta property="og:image:alt" content="a card">
    <meta name="twitter:card" content="summary_large_image"><meta name="twitter:title" content="old">`;
  window.history.replaceState(null, '', '/blogs');
});

it('keeps the social card of the page that the server sent, and updates all metadata for the next one', async () => {
  const { Head } = await import('./head');
  render(<Head title="Blog" description="All posts" keywords="film, blog" />);
  expect(content('property="og:image"')).toBe('https://festival.test/card.jpg');
  expect(content('name="keywords"')).toBe('film, blog');

  window.history.pushState(null, '', '/blog/3');
  render(<Head title="A post" description="Of light" type="article" image="https://festival.test/light.webp" />);
  expect(document.title).toBe('A post');
  expect(content('property="og:type"')).toBe('article');
  expect(content('property="og:image"')).toBe('https://festival.test/light.webp');
  expect(content('name="twitter:image"')).toBe('https://festival.test/light.webp');
  expect(content('name="twitter:title"')).toBe('A post');
  expect(content('property="og:image:alt"')).toBeNull();
  expect(content('name="keywords"')).toBeNull();

  window.history.pushState(null, '', '/blogs');
  render(<Head title="Blog" description="All posts" keywords="film, blog" hidden />);
  expect(content('property="og:image"')).toBeNull();
  expect(content('name="twitter:card"')).toBe('summary');
  expect(content('name="robots"')).toBe('noindex');
});
