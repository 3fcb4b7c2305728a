import type { Programme, Screening } from '@/shared/api';
import { isOn } from './times';

/** Time within which a screening counts as next. */
const SOON_MS = 90 * 60_000;

/** The current screening of a hall, and the next one. */
export interface HallNow {
  hall: Programme['halls'][number];
  now: Screening[];
  next: Screening[];
}

/** The screenings at a time, in milliseconds, and those that begin soon after it; only halls with either. */
export function nowAndNext({ halls, screenings }: Pick<Programme, 'halls' | 'screenings'>, now: number): HallNow[] {
  const isSoon = ({ starts_at, cancelled }: Screening) => {
    const left = Date.parse(starts_at) - now;
    return !cancelled && left > 0 && left <= SOON_MS;
  };
  return halls
    .map((hall) => {
      const here = screenings.filter((screening) => screening.hall === hall.id);
      return { hall, now: here.filter((screening) => isOn(screening, now)), next: here.filter(isSoon) };
    })
    .filter(({ now, next }) => now.length + next.length > 0);
}
