import { useSyncExternalStore } from 'react';
import type { Programme, Screening } from '@/shared/api';
import { isOn } from './times';

const MINUTE = 60_000;
/** Time within which screenings count as next. */
const SOON_MS = 90 * MINUTE;

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

/** The time, updated every minute; null on the server and in the first render. */
export function useNow(): number | null {
  return useSyncExternalStore<number | null>(
    (changed) => {
      const timer = setInterval(changed, MINUTE / 4);
      return () => clearInterval(timer);
    },
    () => Math.floor(Date.now() / MINUTE) * MINUTE,
    () => null,
  );
}
