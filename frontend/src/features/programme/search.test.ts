import { describe, expect, it } from 'vitest';
import type { Programme, Screening } from '@/shared/api';
import { type Choices, chosen, clashes, fold, matches, searchTexts } from './search';
import { clock, dayNames, hourName, hourOf, shortDay } from './times';

const everything: Choices = {
  search: '',
  section: '',
  hall: '',
  language: '',
  country: '',
  time: '',
  guests: false,
  starred: false,
};

const hall = (id: number, name: string, way: number) => ({
  id,
  name,
  venue: null,
  map_link: null,
  capacity: null,
  wheelchair_seats: null,
  walking: [{ hall: 3 - id, minutes: way }],
});

const screening = (id: number, starts: string, ends: string, more: Partial<Screening> = {}): Screening => ({
  id,
  day: '2026-12-11',
  starts_at: `2026-12-${starts}:00+05:30`,
  ends_at: `2026-12-${ends}:00+05:30`,
  minutes: 90,
  talk_minutes: 0,
  hall: 1,
  kind: 'film',
  title: `Film ${id}`,
  films: [id],
  guests: [],
  with_guests: false,
  language: null,
  subtitles: null,
  audience: 'all',
  cancelled: false,
  change: null,
  version: 1,
  ...more,
});

const film = (id: number, title: string, original: string | null, director: string, section: number) => ({
  id,
  title,
  original_title: original,
  directors: [director],
  countries: ['India'],
  languages: [id === 1 ? 'Malayalam' : 'Bengali'],
  year: 2026,
  minutes: 90,
  section: { id: section, name: section === 1 ? 'Malayalam Cinema' : 'World' },
  synopsis: null,
  poster: null,
  poster_alt: null,
});

const programme: Programme = {
  version: 1,
  released_at: '2026-11-25T01:40:00+05:30',
  time_zone: 'Asia/Kolkata',
  days: ['2026-12-11'],
  halls: [hall(1, 'Kadavu Theatre', 15), hall(2, 'Lantern Hall', 15)],
  films: [film(1, 'Kireedam', 'കിരീടം', 'Sibi Malayil', 1), film(2, 'The River', null, 'Chloé Zhao', 2)],
  screenings: [
    screening(1, '11T09:30', '11T11:00', { title: 'Kireedam' }),
    screening(2, '11T11:10', '11T12:40', { title: 'The River', hall: 2, guests: ['Chloé Zhao'] }),
    screening(3, '12T00:30', '12T02:00', { title: 'Night talk', films: [], kind: 'talk' }),
  ],
};
const texts = searchTexts(programme);
const ids = (choices: Partial<Choices>, starred: number[] = []) =>
  chosen(programme, texts, { ...everything, ...choices }, new Set(starred)).map(({ id }) => id);

describe('the search', () => {
  it('finds spellings that differ in case, accents and romanisation', () => {
    expect(fold('Chloé  ZHAO!')).toBe(fold('chloe zhao'));
    for (const search of ['kireedam', 'KIRIDAM', 'Sibi', 'malayil kir', 'കിരീടം'])
      expect(ids({ search }), search).toEqual([1]);
    for (const search of ['chloe', 'river the', 'lantern']) expect(ids({ search }), search).toEqual([2]);
    expect(ids({ search: 'nothing' })).toEqual([]);
    expect(matches(fold('Fargo'), 'argo')).toBe(false);
  });

  it('narrows down by what is chosen', () => {
    expect(ids({})).toEqual([1, 2, 3]);
    expect(ids({ section: '2' })).toEqual([2]);
    expect(ids({ hall: '1' })).toEqual([1, 3]);
    expect(ids({ language: 'Malayalam' })).toEqual([1]);
    expect(ids({ time: 'morning' })).toEqual([1, 2]);
    expect(ids({ time: 'evening' })).toEqual([3]);
    expect(ids({ guests: true })).toEqual([2]);
    expect(ids({ starred: true }, [1, 3])).toEqual([1, 3]);
  });
});

describe('my stars', () => {
  it('clash where the way is longer than the pause', () => {
    expect([...clashes(programme, new Set([1, 2, 3]))].sort()).toEqual([1, 2]);
    const near = { ...programme, halls: [hall(1, 'A', 5), hall(2, 'B', 5)] };
    expect(clashes(near, new Set([1, 2, 3])).size).toBe(0);
    const off = { ...programme, screenings: programme.screenings.map((it) => ({ ...it, cancelled: it.id === 1 })) };
    expect(clashes(off, new Set([1, 2])).size).toBe(0);
  });
});

describe('days and times', () => {
  it('are those of the festival, whatever clock the visitor has', () => {
    expect(dayNames('2026-12-11')).toEqual({ weekday: 'Friday', date: '11 December' });
    expect(shortDay('2026-12-11')).toBe('Fri 11 Dec');
    expect(['2026-12-11T00:05', '2026-12-11T12:00', '2026-12-11T23:59'].map(clock)).toEqual([
      '12:05 am',
      '12:00 pm',
      '11:59 pm',
    ]);
    expect(hourOf('2026-12-11', '2026-12-12T00:30:00+05:30')).toBe(24);
    expect([9, 12, 18, 24].map(hourName)).toEqual(['9 am', '12 pm', '6 pm', '12 am']);
  });
});
