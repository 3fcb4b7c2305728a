import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ProgrammeFilm, Screening } from '@/shared/api';
import { keyOf, plainWords } from './fold';
import { indexProgramme, search, searchScreenings } from './search';
import { queries, films as sample } from './search-queries.json';

const shared: { films: { title: string; original_title: string; director: string }[]; queries: [string, string][] } =
  JSON.parse(readFileSync('../tests/fixtures/search-queries.json', 'utf8'));
const sharedKeys: Record<string, string[]> = JSON.parse(readFileSync('../tests/fixtures/search-keys.json', 'utf8'));

interface Sample {
  title: string;
  original_title: string | null;
  director: string;
  country?: string;
  language?: string;
  section?: string;
  synopsis?: string | null;
}

const filmOf = (film: Sample, id: number): ProgrammeFilm => ({
  id,
  title: film.title,
  original_title: film.original_title,
  directors: film.director ? [film.director] : [],
  countries: film.country ? [film.country] : [],
  languages: film.language ? [film.language] : [],
  year: null,
  minutes: null,
  section: { id: 1, name: film.section ?? '' },
  synopsis: film.synopsis ?? null,
  poster: null,
  poster_alt: null,
});
const films = (sample as Sample[]).map(filmOf);

const talk = { id: 7, films: [], title: 'How sound is made', guests: ['Resul Pookutty'], hall: 3, language: null };
const index = indexProgramme({
  films,
  screenings: [talk as unknown as Screening],
  halls: [{ id: 3, name: 'Kairali', venue: null, map_link: null, capacity: null, wheelchair_seats: null, walking: [] }],
});

const first = (query: string, count = 5, among = index) =>
  search(among, query)
    .slice(0, count)
    .map((hit) => hit.film?.title ?? hit.screenings[0]?.title);

describe('search', () => {
  it(`finds the intended entry among the first five for 98 of 100 queries`, () => {
    const missed = queries.filter(([query, title]) => !first(query as string).includes(title as string));
    expect(queries.length).toBeGreaterThanOrEqual(200);
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(queries.length * 0.02);
  });

  it('finds words of Indian scripts by every usual spelling, as the back office does', () => {
    const among = indexProgramme({ films: shared.films.map(filmOf), screenings: [], halls: [] });
    const missed = shared.queries.filter(([query, title]) => !first(query, 5, among).includes(title));
    expect(shared.queries.length).toBeGreaterThanOrEqual(200);
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(shared.queries.length * 0.02);
  });

  it('puts the film of exactly this name first', () => {
    for (const { title } of films) expect(first(title, 1)).toEqual([title]);
  });

  it('finds events that are no films by title, guest and hall', () => {
    for (const query of ['sound made', 'pukutty', 'kairali']) expect(first(query)).toContain('How sound is made');
  });

  it('lists screenings by what matched, then by time, and those that are over last', () => {
    const film = (id: number, title: string, country: string) =>
      ({ ...films[0], id, title, countries: [country] }) as ProgrammeFilm;
    const shown = (id: number, day: number, ids: number[]) =>
      ({
        ...talk,
        id,
        title: ids.join(),
        films: ids,
        guests: [],
        starts_at: `2026-12-${day}T10:00:00+05:30`,
        ends_at: `2026-12-${day}T12:00:00+05:30`,
      }) as unknown as Screening;
    const some = indexProgramme({
      films: [film(1, 'A very long road to the sea', 'Japan'), film(2, 'Snow', 'Japan'), film(3, 'Japan', 'Iran')],
      screenings: [shown(10, 11, [2]), shown(11, 12, [1]), shown(12, 13, [2]), shown(13, 14, [3])],
      halls: [],
    });
    const found = (now: string | null) =>
      searchScreenings(some, 'japan', now === null ? null : Date.parse(now)).map(({ id }) => id);
    expect(found(null)).toEqual([13, 10, 11, 12]);
    expect(found('2026-12-11T18:00:00+05:30')).toEqual([13, 11, 12, 10]);
  });

  it('finds nothing for unknown words', () => {
    for (const query of ['', '   ', '...', 'xqzwvk', 'refrigerator warranty']) expect(first(query)).toEqual([]);
  });
});

describe('keyOf', () => {
  it('is the key by which the back office searches', () => {
    for (const [text, keys] of Object.entries(sharedKeys)) expect(plainWords(text).map(keyOf), text).toEqual(keys);
  });

  it.each([
    ['കിരീടം', 'Kireedam', 'Kiridam', 'kiritam'],
    ['ചെമ്മീൻ', 'ചെമ്മീന്\u200d', 'Chemmeen', 'chemmin'],
    ['വിളക്ക്', 'vilakku', 'vilakk', 'vilaku'],
    ['മഴ', 'mazha', 'mala'],
    ['കോഴിക്കോട്', 'Kozhikode', 'Kozhikkod'],
    ['കൗതുകം', 'കൌതുകം', 'Kauthukam'],
    ['കൊടിയേറ്റം', 'Kodiyettam'],
    ['शोले', 'Sholay', 'shole'],
  ])('is one for %s and its spellings', (...spellings) => {
    const keys = spellings.map((spelling) => plainWords(spelling).map(keyOf).join(' '));
    expect(new Set(keys).size, keys.join(', ')).toBe(1);
  });
});
