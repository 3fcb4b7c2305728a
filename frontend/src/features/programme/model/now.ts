import type { Programme, Screening } from '@/shared/api';
import { isOn } from './times';

/** Time within which screenings count as next. */
const SOON_MS = 90 * 60_000;

/** What runs at a time, in milliseconds, and what begins next: soon after it, or else with the next beginning. */
export interface NowAndNext {
  running: Screening[];
  next: Screening[];
}

/** What runs and what begins next; nothing is next after the last screening has begun. */
export function nowAndNext({ screenings }: Pick<Programme, 'screenings'>, now: number): NowAndNext {
  const coming = screenings.filter(({ starts_at, cancelled }) => !cancelled && Date.parse(starts_at) > now);
  const first = Math.min(...coming.map(({ starts_at }) => Date.parse(starts_at)));
  const until = Math.max(first, now + SOON_MS);
  return {
    running: screenings.filter((screening) => isOn(screening, now)),
    next: coming.filter(({ starts_at }) => Date.parse(starts_at) <= until),
  };
}
