import type { Programme, ProgrammeFilm, Screening } from '@/shared/api';

/** What visitors narrow the programme down to; an empty text stands for everything. */
export interface Choices {
  search: string;
  section: string;
  hall: string;
  language: string;
  country: string;
  time: '' | 'morning' | 'afternoon' | 'evening';
  guests: boolean;
  starred: boolean;
}

/** The vowel signs and letters of Malayalam that romanised spellings write alike. */
const ROMAN: [RegExp, string][] = [
  [/zh/g, 'l'],
  [/([bcdgjkpst])h/g, '$1'],
  [/aa+/g, 'a'],
  [/ee+|ii+/g, 'i'],
  [/oo+|uu+/g, 'u'],
  [/w/g, 'v'],
  [/y\b/g, 'i'],
  [/([a-z])\1+/g, '$1'],
];

/** A text in the form in which spellings are compared: no case, no accents, romanised variants made equal. */
export function fold(text: string): string {
  let folded = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u200b-\u200d]/g, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  for (const [pattern, replacement] of ROMAN) folded = folded.replace(pattern, replacement);
  return folded;
}

/** Everything that a search looks through, by the id of the screening. */
export function searchTexts(programme: Programme): Map<number, string> {
  const films = new Map(programme.films.map((film) => [film.id, film]));
  const halls = new Map(programme.halls.map((hall) => [hall.id, hall]));
  const filmText = (film: ProgrammeFilm) => [
    film.title,
    film.original_title,
    ...film.directors,
    ...film.countries,
    ...film.languages,
    film.section.name,
    film.synopsis,
  ];
  const text = (screening: Screening) => {
    const hall = halls.get(screening.hall);
    const of = screening.films.flatMap((id) => films.get(id) ?? []).flatMap(filmText);
    return fold([screening.title, ...of, ...screening.guests, hall?.name, hall?.venue].filter(Boolean).join(' '));
  };
  return new Map(programme.screenings.map((screening) => [screening.id, text(screening)]));
}

/** Whether every word of a search begins a word of the text. */
export function matches(text: string, search: string): boolean {
  return fold(search)
    .split(' ')
    .every((word) => word === '' || ` ${text}`.includes(` ${word}`));
}

function partOfDay(screening: Screening): Choices['time'] {
  const hour = Number(screening.starts_at.slice(11, 13));
  if (hour >= 5 && hour < 12) return 'morning';
  return hour >= 12 && hour < 17 ? 'afternoon' : 'evening';
}

/** The screenings that fit the choices. */
export function chosen(
  programme: Programme,
  texts: Map<number, string>,
  choices: Choices,
  starred: ReadonlySet<number>,
): Screening[] {
  const films = new Map(programme.films.map((film) => [film.id, film]));
  return programme.screenings.filter((screening) => {
    const of = screening.films.flatMap((id) => films.get(id) ?? []);
    return (
      (choices.section === '' || of.some((film) => `${film.section.id}` === choices.section)) &&
      (choices.hall === '' || `${screening.hall}` === choices.hall) &&
      (choices.language === '' || of.some((film) => film.languages.includes(choices.language))) &&
      (choices.country === '' || of.some((film) => film.countries.includes(choices.country))) &&
      (choices.time === '' || partOfDay(screening) === choices.time) &&
      (!choices.guests || screening.with_guests || screening.guests.length > 0) &&
      (!choices.starred || starred.has(screening.id)) &&
      matches(texts.get(screening.id) ?? '', choices.search)
    );
  });
}

/** Ids of the starred screenings that somebody cannot reach from another starred one, with the way between their halls. */
export function clashes(programme: Programme, starred: ReadonlySet<number>): Set<number> {
  const walks = new Map(
    programme.halls.map((hall) => [hall.id, new Map(hall.walking.map((walk) => [walk.hall, walk.minutes]))]),
  );
  const plan = programme.screenings.filter((screening) => starred.has(screening.id) && !screening.cancelled);
  const clashing = new Set<number>();
  plan.forEach((one, index) => {
    for (const other of plan.slice(index + 1)) {
      const [first, second] = one.starts_at <= other.starts_at ? [one, other] : [other, one];
      const walk = first.hall === second.hall ? 0 : (walks.get(first.hall)?.get(second.hall) ?? 0);
      if (Date.parse(first.ends_at) + walk * 60_000 > Date.parse(second.starts_at)) {
        clashing.add(first.id).add(second.id);
      }
    }
  });
  return clashing;
}
