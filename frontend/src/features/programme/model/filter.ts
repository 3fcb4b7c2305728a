/** The visitor's filters of the programme; all of them are in the address. */
import type { Programme, ProgrammeFilm, Screening } from '@/shared/api';
import { walkBetween } from './plan';
import { minutesInto } from './times';

/** The filters among the parameters of the address. */
const FILTERS = ['section', 'language', 'subtitles', 'country', 'hall', 'near', 'time', 'guests'] as const;

/** The parameter names in the address; `earlier` unfolds what is over on the day that it is. */
export const CHOICES = ['day', 'q', 'earlier', ...FILTERS] as const;

/** The filters in the address; empty if nothing was chosen. */
export type Choice = Record<(typeof CHOICES)[number], string>;

/** Times of day, by the minutes of the festival day between which a screening begins. */
export const TIMES = [
  ['morning', 'Morning, to 12:00', 0, 12 * 60],
  ['afternoon', 'Afternoon, 12:00 to 17:00', 12 * 60, 17 * 60],
  ['evening', 'Evening, from 17:00', 17 * 60, Number.POSITIVE_INFINITY],
  ['night', 'From 20:00', 20 * 60, Number.POSITIVE_INFINITY],
] as const;

type Hall = Programme['halls'][number];

/** A walk that counts as near, in minutes. */
const NEAR_MINUTES = 10;

/** Whether any filter is set. */
export function isNarrowed(choice: Choice): boolean {
  return FILTERS.some((name) => choice[name] !== '');
}

/** The choice without any filter. */
export function withoutFilters(choice: Choice): Choice {
  return { ...choice, ...Object.fromEntries(FILTERS.map((name) => [name, ''])) };
}

/** A filter that one tap sets. */
export interface QuickFilter {
  name: 'time' | 'subtitles' | 'near';
  value: string;
  label: string;
}

/** The filters of an evening: late, with subtitles in English, near a house. A house is named after its first hall. */
export function quickFilters({ halls, screenings }: Programme): QuickFilter[] {
  const used = halls.filter(({ id }) => screenings.some(({ hall }) => hall === id));
  const houses = used.filter(({ venue }, at) => !venue || used.findIndex((other) => other.venue === venue) === at);
  return [
    { name: 'time', value: 'night', label: 'From 20:00' },
    ...(screenings.some(({ subtitles }) => subtitles === 'English')
      ? [{ name: 'subtitles', value: 'English', label: 'English subtitles' } as const]
      : []),
    ...(houses.length > 1 ? houses : []).map(
      ({ id, name }) => ({ name: 'near', value: String(id), label: `Near ${name}` }) as const,
    ),
  ];
}

/** The screenings that match the filters, on any day. */
export function filterScreenings(programme: Programme, choice: Choice): Screening[] {
  const { screenings, films, halls } = programme;
  const filmOf = new Map(films.map((film) => [film.id, film]));
  const some = (screening: Screening, fits: (film: ProgrammeFilm) => boolean) =>
    screening.films.some((id) => {
      const film = filmOf.get(id);
      return film !== undefined && fits(film);
    });
  const near = halls.find(({ id }) => String(id) === choice.near);
  const isNear = (from: Hall, { hall }: Screening) =>
    (walkBetween(programme, from.id, hall) ?? NEAR_MINUTES + 1) <= NEAR_MINUTES ||
    (from.venue !== null && from.venue === halls.find(({ id }) => id === hall)?.venue);
  return screenings.filter(
    (screening) =>
      (!choice.hall || String(screening.hall) === choice.hall) &&
      (!near || isNear(near, screening)) &&
      (!choice.subtitles || screening.subtitles === choice.subtitles) &&
      (!choice.guests || screening.with_guests) &&
      (!choice.time || isAtTime(screening, choice.time)) &&
      (!choice.section || some(screening, ({ section }) => String(section.id) === choice.section)) &&
      (!choice.country || some(screening, ({ countries }) => countries.includes(choice.country))) &&
      (!choice.language ||
        screening.language === choice.language ||
        some(screening, ({ languages }) => languages.includes(choice.language))),
  );
}

/** Whether a screening begins in a time of day; none begins in an unknown one. */
function isAtTime({ day, starts_at }: Screening, time: string): boolean {
  const minutes = minutesInto(day, starts_at);
  return TIMES.some(([name, , from, to]) => name === time && from <= minutes && minutes < to);
}

/** The address of the programme with changed filters. */
export function programmePath(choice: Choice, other: Partial<Choice>): string {
  const chosen = { ...choice, ...other };
  const query = new URLSearchParams();
  for (const name of CHOICES) if (chosen[name]) query.set(name, chosen[name]);
  const text = String(query);
  return `/programme${text && `?${text}`}`;
}

/** Distinct values in alphabetical order. */
export function distinct(values: string[]): string[] {
  return [...new Set(values)].sort((one, other) => (one < other ? -1 : 1));
}
