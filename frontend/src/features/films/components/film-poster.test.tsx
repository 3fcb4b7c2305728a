import { readFileSync } from 'node:fs';
import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Film } from '@/shared/api';
import { bareFilm, film } from '@/styleguide/samples';
import { FilmCard } from './film-card';
import { FilmDetail } from './film-detail';
import { designOf, SIZES } from './poster-design';

const sheet = readFileSync('src/features/films/components/film-poster.module.css', 'utf8');
const named = (name: string, category_id = 1, original_title: string | null = null) =>
  designOf({ name, category_id, original_title });

describe('the design of a poster', () => {
  it('has the sizes, tones, beams and looks of the style sheet', () => {
    const sizes = [...sheet.matchAll(/data-size="(\d+)"\] \{\s*--title: ([\d.]+)cqw/g)].map(([, at, size]) => [
      at,
      size,
    ]);
    expect(sizes).toEqual(SIZES.map((size, at) => [String(at), String(size)]));
    const titles = Array.from({ length: 300 }, (_, at) => named(`Film ${at}`, at));
    for (const part of ['tone', 'beam', 'variant'] as const) {
      for (const value of new Set(titles.map((design) => design[part]))) {
        // The first look of a poster is the default, without a rule.
        if (part !== 'variant' || value !== 0) expect(sheet, part).toContain(`data-${part}="${value}"`);
      }
    }
  });

  it('depends on title and section alone, and differs between similar titles', () => {
    expect(named('Kurak')).toEqual(named('Kurak'));
    expect(named('Kurak', 2).tone).not.toBe(named('Kurak', 1).tone);
    expect(named('Kurak', 2).beam).toBe(named('Kurak', 1).beam);
    const beams = Array.from({ length: 40 }, (_, at) => named(`Film ${at}`).beam);
    expect(new Set(beams).size).toBe(8);
  });

  it('sets short titles large and long ones smaller, and keeps words whole', () => {
    const sizes = [
      'If',
      'The Creature',
      'The Deepest Space in Us, and the Last Summer',
      'A Conversation about Everything That Was Left Out',
    ].map((name) => named(name).size);
    expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
    expect(new Set(sizes).size).toBe(4);
    expect(named('NAVADAMPATHIGALU').size).toBeGreaterThan(named('NAVA DAMPA THIGALU').size);
  });

  it('sets typographic marks no wider than plain ones', () => {
    const sizes = ['People’s Parade', "People's Parade", 'L’Été “d’or” – 1'].map((name) => SIZES[named(name).size]);
    expect(sizes).toEqual([23.5, 23.5, 31]);
  });

  it('shows a second title only if it differs and there is room', () => {
    expect(named('Kurak', 1, 'ಕೂರಕ್').other).toBe('ಕೂರಕ್');
    expect(named('Kurak', 1, 'Kurak').other).toBeNull();
    expect(named('Kurak', 1, 'Interwoven true stories of violence reveal tragic consequences').other).toBeNull();
  });
});

describe('a film without a poster', () => {
  const persian: Film = { ...bareFilm, name: 'جدایی نادر از سیمین', country: 'Iran', year: 2011 };

  it('has its title drawn in the card, and says it once', () => {
    render(<FilmCard film={{ ...persian, director_name: 'Asghar Farhadi' }} onOpen={() => {}} />);
    const link = screen.getByRole('link', { name: /^جدایی نادر از سیمین ?Asghar Farhadi ?Iran, 2011$/ });
    const drawn = link.querySelector('[data-drawn]');
    expect(drawn?.getAttribute('aria-hidden')).toBe('true');
    expect(drawn?.textContent).toBe('جدایی نادر از سیمین');
    for (const name of link.querySelectorAll('[lang="fa"]')) expect(name.getAttribute('dir')).toBe('rtl');
    expect(link.querySelectorAll('[lang="fa"]')).toHaveLength(2);
    expect(link.querySelector('img')).toBeNull();
  });

  it('says in its detail that there is no poster', () => {
    render(<FilmDetail film={persian} />);
    expect(screen.getByText('No Poster')).toBeTruthy();
    expect(document.querySelectorAll('[data-drawn]')).toHaveLength(1);
  });
});

describe('a film with a poster', () => {
  it('shows the picture, and asks for it at once in the first view', () => {
    const { rerender } = render(<FilmCard film={film} onOpen={() => {}} />);
    expect(document.querySelector('[data-drawn]')).toBeNull();
    expect(document.querySelector('img')?.getAttribute('loading')).toBe('lazy');
    rerender(<FilmCard film={film} onOpen={() => {}} eager />);
    expect(document.querySelector('img')?.getAttribute('loading')).toBe('eager');
    expect(document.querySelector('img')?.getAttribute('fetchpriority')).toBe('high');
  });
});
