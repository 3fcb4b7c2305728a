/** A visitor's own festival, worked out from the screenings that are starred: nothing of it leaves the device. */
import type { Programme, Screening } from '@/shared/api';

/** A screening of the plan, and how one gets there from the one before on the same day. */
export interface Stop {
  screening: Screening;
  /** Minutes on foot from the hall before; null where it is the same hall, the first one, or nobody knows. */
  walk: number | null;
  /** It begins before an earlier one is over, or before one can come from there. */
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
/** Proposals for each day at most. */
const MOST_PROPOSALS = 4;

const start = ({ starts_at }: Screening) => Date.parse(starts_at);
const end = ({ ends_at }: Screening) => Date.parse(ends_at);

/** Minutes on foot between two halls; 0 within one, null where nobody has said. */
export function walkBetween({ halls }: Pick<Programme, 'halls'>, from: number, to: number): number | null {
  if (from === to) return 0;
  const walk = (here: number, there: number) =>
    halls.find(({ id }) => id === here)?.walking.find(({ hall }) => hall === there)?.minutes;
  return walk(from, to) ?? walk(to, from) ?? null;
}

/** Whether one can see both, the walk between them included. */
export function fitTogether(programme: Pick<Programme, 'halls'>, one: Screening, other: Screening): boolean {
  const [first, second] = start(one) <= start(other) ? [one, other] : [other, one];
  const walk = walkBetween(programme, first.hall, second.hall) ?? 0;
  return end(first) + walk * MINUTE <= start(second);
}

/** The starred screenings by day, with what does not work out. */
export function planOf(programme: Programme, stars: ReadonlySet<number>): PlannedDay[] {
  return programme.days.flatMap((day) => {
    const starred = programme.screenings.filter((screening) => screening.day === day && stars.has(screening.id));
    // The one that lasts longest so far is what the next one has to wait for.
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

/** What else fits on a day of the plan: screenings of films that are not in it yet, those for everybody first. */
export function proposalsFor(programme: Programme, stars: ReadonlySet<number>, day: string): Screening[] {
  const starred = programme.screenings.filter(({ id, cancelled }) => stars.has(id) && !cancelled);
  const seen = new Set(starred.flatMap(({ films }) => films));
  const fits = programme.screenings.filter(
    (screening) =>
      screening.day === day &&
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

/** Other screenings of what a screening shows that fit the rest of the plan. */
export function instead(programme: Programme, stars: ReadonlySet<number>, screening: Screening): Screening[] {
  const others = programme.screenings.filter(({ id, cancelled }) => stars.has(id) && id !== screening.id && !cancelled);
  return programme.screenings.filter(
    (candidate) =>
      candidate.id !== screening.id &&
      !candidate.cancelled &&
      !stars.has(candidate.id) &&
      screening.films.length > 0 &&
      screening.films.every((film) => candidate.films.includes(film)) &&
      others.every((other) => fitTogether(programme, candidate, other)),
  );
}

/** The starred screenings that a release after `version` changed; none on the first visit, which is 0. */
export function changedSince({ screenings }: Programme, stars: ReadonlySet<number>, version: number): Screening[] {
  return screenings.filter((screening) => version > 0 && stars.has(screening.id) && screening.version > version);
}

/** The part of a link after # that carries a plan: browsers do not send it. */
export function planFragment(stars: ReadonlySet<number>): string {
  return `#plan=${[...stars].map((id) => id.toString(36)).join('.')}`;
}

/** The screenings of a link's fragment that the programme has; null where it carries no plan. */
export function readFragment(fragment: string, { screenings }: Pick<Programme, 'screenings'>): number[] | null {
  const text = /^#plan=([0-9a-z.]+)$/.exec(fragment)?.[1];
  if (!text) return null;
  const known = new Set(screenings.map(({ id }) => id));
  return [...new Set(text.split('.').map((id) => Number.parseInt(id, 36)))].filter((id) => known.has(id));
}
