import type { Category, Film } from '@/shared/api';
import { hard } from '@/test/hard-texts';

/** A film with nothing but its title. */
export const bareFilm: Film = {
  id: 0,
  category_id: 1,
  name: hard(1),
  original_title: null,
  poster: null,
  director: null,
  director_name: null,
  writer_name: null,
  producer_name: null,
  cast_details: null,
  crew_details: null,
  synopsis: null,
  year: null,
  country: null,
  language: null,
  subtitle_language: null,
  duration_minutes: null,
  duration_text: null,
  poster_alt: null,
  still_one: null,
  still_one_alt: null,
  still_two: null,
  still_two_alt: null,
  category_name: hard(1),
  category_desc: null,
};

function film(id: number, category_id: number): Film {
  return {
    ...bareFilm,
    id,
    category_id,
    name: hard(id),
    original_title: id % 2 ? hard(0) : null,
    poster: id % 3 ? `https://festival.test/p/${id}.webp?a=1&b=2` : null,
    director: id % 2 ? hard(id + 1) : null,
    director_name: id % 2 ? hard(id + 1) : null,
    writer_name: hard(id + 2),
    producer_name: '',
    cast_details: hard(2),
    synopsis: hard(4),
    year: id % 2 ? 2025 : null,
    country: '',
    subtitle_language: id % 2 ? 'English' : hard(3),
    duration_minutes: 92,
    duration_text: '92 min',
    still_one: id % 2 ? null : 'https://festival.test/s.webp',
    still_two: id % 3 ? null : 'https://festival.test/t.webp',
    poster_alt: id % 2 ? hard(id) : null,
    category_name: hard(id),
    category_desc: id % 2 ? null : hard(5),
  };
}

const films = [1, 2, 3, 4, 5, 6].map((id) => film(id, 1));

const categories: Category[] = [1, 2, 3].map((id) => ({
  id,
  name: hard(id),
  slug: `c-${id}`,
  category_desc: id % 2 ? hard(id) : '',
  film_count: id,
}));

/** API responses for the pages of films, with data that break careless pages. */
export const hardData: Record<string, unknown> = {
  '/categories/': categories,
  '/categories/1/films/': films,
  '/categories/1/films/parts/1/': { number: 1, previous: null, next: 2, count: 54, films },
  '/categories/1/films/parts/2/': { number: 2, previous: 1, next: null, count: 54, films },
  '/categories/1/a-z/': {
    id: 1,
    name: hard(0),
    category_desc: hard(1),
    count: films.length,
    letters: [
      { letter: '0-9', films: films.slice(0, 2) },
      { letter: 'വ', films: films.slice(2) },
    ],
  },
  '/categories/2/a-z/': { id: 2, name: hard(1), category_desc: null, count: 0, letters: [] },
  '/categories/2/films/': [],
  '/categories/2/films/parts/1/': { number: 1, previous: null, next: null, count: 0, films: [] },
  ...Object.fromEntries(films.map((film) => [`/categories/1/films/${film.id}/`, film])),
  '/selections/': [
    {
      id: 1,
      name: hard(1),
      count: 2,
      films: [
        { id: null, name: hard(4), director: null, poster: null },
        { id: 5, name: hard(0), director: hard(3), poster: 'https://festival.test/p/5.webp' },
      ],
      still: { film: 5, picture: 'https://festival.test/s.webp', alt: null },
    },
  ],
};
