/** The visitor's filters of the programme; all of them are in the address. */
import type { Programme, ProgrammeFilm, Screening } from '@/shared/api';
import { minutesInto } from './times';

/** The parameter names in the address. */
export const CHOICES = ['day', 'q', 'section', 'language', 'country', 'hall', 'time', 'guests'] as const;

/** The filters in the address; empty if nothing was chosen. */
export type Choice = Record<(typeof CHOICES)[number], string>;

/** Times of day, by the minute of the festival day with which they end. */
export const TIMES = [
  ['morning', 'Morning, to 12:00', 12 * 60],
  ['afternoon', 'Afternoon, 12:00 to 17:00', 17 * 60],
  ['evening', 'Evening, from 17:00', Number.POSITIVE_INFINITY],
] as const;

/** Whether any filter other than day and search is set. */
export function isNarrowed(choice: Choice): boolean {
  return CHOICES.some((name) => name !== 'day' && name !== 'q' && choice[name] !== '');
}

/** The screenings that match the filters, on any day. */
export function filterScreenings({ screenings, films }: Programme, choice: Choice): Screening[] {
  const filmOf = new Map(films.map((film) => [film.id, film]));
  const some = (screening: Screening, fits: (film: ProgrammeFilm) => boolean) =>
    screening.films.some((id) => {
      const film = filmOf.get(id);
      return film !== undefined && fits(film);
    });
  return screenings.filter(
    (screening) =>
      (!choice.hall || String(screening.hall) === choice.hall) &&
      (!choice.guests || screening.with_guests) &&
      (!choice.time || timeOf(screening) === choice.time) &&
      (!choice.section || some(screening, ({ section }) => String(section.id) === choice.section)) &&
      (!choice.country || some(screening, ({ countries }) => countries.includes(choice.country))) &&
      (!choice.language ||
        screening.language === choice.language ||
        some(screening, ({ languages }) => languages.includes(choice.language))),
  );
}

/** The time of day in which a screening begins. */
function timeOf({ day, starts_at }: Screening): string {
  const minutes = minutesInto(day, starts_at);
  return TIMES.find(([, , end]) => minutes < end)?.[0] ?? 'evening';
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
