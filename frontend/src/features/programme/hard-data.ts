import type { Programme } from '@/shared/api';
import { hard, hardTexts } from '@/test/hard-texts';

const programme: Programme = {
  version: 2,
  released_at: '2025-10-20T10:00:00+05:30',
  time_zone: 'Asia/Kolkata',
  days: ['2025-10-24', '2025-10-25'],
  halls: [1, 2].map((id) => ({
    id,
    name: hard(id),
    venue: id % 2 ? null : hard(4),
    map_link: null,
    capacity: null,
    wheelchair_seats: null,
    walking: [],
  })),
  films: hardTexts.map((title, id) => ({
    id,
    title,
    original_title: id % 2 ? null : hard(0),
    directors: id % 2 ? [] : [hard(id + 1)],
    countries: id % 3 ? [] : [hard(4)],
    languages: id % 2 ? [hard(0)] : [],
    year: id % 2 ? 2025 : null,
    minutes: id % 2 ? null : 92,
    section: { id: 1, name: hard(3) },
    synopsis: id % 2 ? null : hard(id),
    poster: null,
    poster_alt: null,
  })),
  screenings: hardTexts.map((title, id) => ({
    id,
    day: '2025-10-24',
    starts_at: id === 6 ? '2025-10-25T00:30:00+05:30' : `2025-10-24T${10 + id}:10:00+05:30`,
    ends_at: id === 6 ? '2025-10-25T04:55:00+05:30' : `2025-10-24T${12 + id}:00:00+05:30`,
    minutes: 110,
    talk_minutes: 0,
    hall: (id % 2) + 1,
    kind: 'film',
    title,
    films: id === 0 ? [] : id === 1 ? [1, 2] : [id],
    guests: id % 2 ? [hard(id)] : [],
    with_guests: id % 3 === 0,
    language: id % 2 ? hard(0) : null,
    subtitles: id % 3 ? 'English' : null,
    audience: id % 2 ? 'all' : 'delegates',
    cancelled: id === 4,
    change:
      id === 3
        ? { kind: 'moved', at: '2025-10-20T10:00:00+05:30', was: { hall: 1, starts_at: '2025-10-25T10:00:00+05:30' } }
        : null,
    version: 1,
  })),
};

/** API responses for the pages of the programme, with data that break careless pages. */
export const hardData: Record<string, unknown> = {
  '/programme/': programme,
  '/programme/today/': { day: '2025-10-24', since: '2025-10-24T13:10:00+05:30' },
};
