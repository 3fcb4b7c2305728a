import type { FormTimes } from '@/shared/api/generated/forms-api';

/** How a form stands towards its deadline. */
export type Closing =
  /** There is no deadline, or it is ahead; `left` is empty as long as the server's time is not known. */
  | { kind: 'open'; text: string; left: string; soon: boolean }
  /** The deadline is over; what comes now is marked as late. */
  | { kind: 'late'; text: string }
  | { kind: 'closed'; text: string };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How a form stands at a moment of the server's clock; null: as the server said with the page. */
export function closingOf(times: FormTimes | undefined, now: number | null): Closing {
  if (!times?.late_after) return { kind: 'open', text: '', left: '', soon: false };
  const text = times.late_after_text;
  if (now === null) {
    return times.standing === 'open' ? { kind: 'open', text, left: '', soon: false } : { kind: times.standing, text };
  }
  if (times.accepted_until && now > Date.parse(times.accepted_until)) return { kind: 'closed', text };
  const left = Date.parse(times.late_after) - now;
  if (left < 0) return { kind: 'late', text };
  return { kind: 'open', text, left: leftText(left), soon: left < HOUR };
}

/** "12 days", "3 days 4 hours", "5 hours 20 minutes", "9 minutes", "less than a minute". */
export function leftText(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  const minutes = Math.floor((milliseconds % HOUR) / MINUTE);
  const parts: [number, string][] =
    days >= 7
      ? [[days, 'day']]
      : days > 0
        ? [
            [days, 'day'],
            [hours, 'hour'],
          ]
        : [
            [hours, 'hour'],
            [minutes, 'minute'],
          ];
  const words = parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}${count === 1 ? '' : 's'}`);
  return words.join(' ') || 'less than a minute';
}
