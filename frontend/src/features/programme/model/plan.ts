/** A visitor's own festival, computed from the starred screenings: none of it leaves the device. */
import type { Programme, Screening } from '@/shared/api';

/** A screening of the plan, and the walk from the previous one on the same day. */
export interface Stop {
  screening: Screening;
  /** Minutes on foot from the previous hall; null if it is the same hall, the first screening, or unknown. */
  walk: number | null;
  /** Whether it begins before an earlier one is over, or before one can get there. */
  problem: 'clash' | 'late' | null;
  /** The earlier one. */
  after: Screening | null;
}

/** A day of the plan. */
export interface PlannedDay {
  day: string;
  stops: Stop[];
}

const MINUTE = 60_000;
/** Maximum number of suggestions per day. */
const MOST_PROPOSALS = 4;

const start = ({ starts_at }: Screening) => Date.parse(starts_at);
const end = ({ ends_at }: Screening) => Date.parse(ends_at);

/** Minutes on foot between two halls; 0 within one, null if unknown. */
export function walkBetween({ halls }: Pick<Programme, 'halls'>, from: number, to: number): number | null {
  if (from === to) return 0;
  const walk = (here: number, there: number) =>
    halls.find(({ id }) => id === here)?.walking.find(({ hall }) => hall === there)?.minutes;
  return walk(from, to) ?? walk(to, from) ?? null;
}

/** Whether one can see both, including the walk between them. */
export function fitTogether(programme: Pick<Programme, 'halls'>, one: Screening, other: Screening): boolean {
  const [first, second] = start(one) <= start(other) ? [one, other] : [other, one];
  const walk = walkBetween(programme, first.hall, second.hall) ?? 0;
  return end(first) + walk * MINUTE <= start(second);
}

/** The starred screenings by day, with their clashes. */
export function planOf(programme: Programme, stars: ReadonlySet<number>): PlannedDay[] {
  return programme.days.flatMap((day) => {
    const starred = programme.screenings.filter((screening) => screening.day === day && stars.has(screening.id));
    // The next one has to begin after the one that ends last so far.
    let before: Screening | null = null;
    const stops = starred.map((screening): Stop => {
      const previous = before;
      if (screening.cancelled) return { screening, walk: null, problem: null, after: null };
      if (!previous || end(screening) > end(previous)) before = screening;
      if (!previous) return { screening, walk: null, problem: null, after: null };
      const walk = walkBetween(programme, previous.hall, screening.hall);
      const late = start(screening) < end(previous) + (walk ?? 0) * MINUTE;
      const problem = start(screening) < end(previous) ? 'clash' : late ? 'late' : null;
      return { screening, walk: walk === 0 ? null : walk, problem, after: previous };
    });
    return stops.length > 0 ? [{ day, stops }] : [];
  });
}

/** A walk that nobody takes: the hall is in another town. */
const FAR_MINUTES = 60;

/** The way between two halls in words: "14 minutes on foot". */
export function wayText(minutes: number): string {
  return minutes >= FAR_MINUTES ? `another town, ${minutes} minutes away` : `${minutes} minutes on foot`;
}

/**
 * Suggestions for a day of the plan: screenings of films that are not in it yet and that begin after `now`, in
 * milliseconds, those open to everybody first.
 */
export function proposalsFor(programme: Programme, stars: ReadonlySet<number>, day: string, now: number): Screening[] {
  const starred = programme.screenings.filter(({ id, cancelled }) => stars.has(id) && !cancelled);
  const seen = new Set(starred.flatMap(({ films }) => films));
  const fits = programme.screenings.filter(
    (screening) =>
      screening.day === day &&
      start(screening) > now &&
      !screening.cancelled &&
      !stars.has(screening.id) &&
      !screening.films.some((film) => seen.has(film)) &&
      starred.every((other) => fitTogether(programme, screening, other)),
  );
  return fits
    .sort((one, other) => Number(other.audience === 'all') - Number(one.audience === 'all'))
    .slice(0, MOST_PROPOSALS)
    .sort((one, other) => start(one) - start(other));
}

/** Other screenings of the same films that begin after `now`, in milliseconds, and fit the rest of the plan. */
export function instead(
  programme: Programme,
  stars: ReadonlySet<number>,
  screening: Screening,
  now: number,
): Screening[] {
  const others = programme.screenings.filter(({ id, cancelled }) => stars.has(id) && id !== screening.id && !cancelled);
  return programme.screenings.filter(
    (candidate) =>
      candidate.id !== screening.id &&
      start(candidate) > now &&
      !candidate.cancelled &&
      !stars.has(candidate.id) &&
      screening.films.length > 0 &&
      screening.films.every((film) => candidate.films.includes(film)) &&
      others.every((other) => fitTogether(programme, candidate, other)),
  );
}

/** The starred screenings that a release after `version` changed; none on the first visit (`version` 0). */
export function changedSince({ screenings }: Programme, stars: ReadonlySet<number>, version: number): Screening[] {
  return screenings.filter((screening) => version > 0 && stars.has(screening.id) && screening.version > version);
}

/** The fragment of a link that contains a plan: browsers do not send it. */
export function planFragment(stars: ReadonlySet<number>): string {
  return `#plan=${[...stars].map((id) => id.toString(36)).join('.')}`;
}

/** The existing screenings of a link's fragment; null if it contains no plan. */
export function readFragment(fragment: string, { screenings }: Pick<Programme, 'screenings'>): number[] | null {
  const text = /^#plan=([0-9a-z.]+)$/.exec(fragment)?.[1];
  if (!text) return null;
  const known = new Set(screenings.map(({ id }) => id));
  return [...new Set(text.split('.').map((id) => Number.parseInt(id, 36)))].filter((id) => known.has(id));
}
