import type { FormTimes } from '@/shared/api/generated/api';

/** The state of a form relative to its deadline. */
export type Closing =
  /** No deadline, or one in the future; `left` is empty as long as the server's time is not known. */
  | { kind: 'open'; text: string; left: string; soon: boolean }
  /** The deadline is over; submissions are now marked as late. */
  | { kind: 'late'; text: string }
  | { kind: 'closed'; text: string };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The state of a form at a time of the server's clock. */
export function closingOf(times: FormTimes, now: number): Closing {
  if (!times.late_after) return { kind: 'open', text: '', left: '', soon: false };
  const text = times.late_after_text;
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
  const text = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}${count === 1 ? '' : 's'}`);
  return text.join(' ') || 'less than a minute';
}

/** How often the time left is updated, in milliseconds. */
const TICK_MS = 1_000;

/**
 * Reports the state of a form by the server's clock, which is requested at once and whenever the page becomes visible
 * again: some devices stop every clock of a page while they sleep. Returns a function that stops it.
 */
export function watchClosing(api: string, times: FormTimes, onChange: (closing: Closing) => void): () => void {
  let stopped = false;
  const tell = () => {
    const now = serverNow();
    if (now !== null && !stopped) onChange(closingOf(times, now));
  };
  const read = () => {
    if (document.visibilityState === 'hidden') return;
    readServerClock(api).then(tell, () => {});
  };
  read();
  const tick = setInterval(tell, TICK_MS);
  document.addEventListener('visibilitychange', read);
  return () => {
    stopped = true;
    clearInterval(tick);
    document.removeEventListener('visibilitychange', read);
  };
}

/**
 * The server's time, and the reading of a monotonic clock at that moment; the visitor's own clock may be wrong by
 * years.
 */
let reading: { server: number; at: number } | null = null;

/** Gets the server's time from the date header of a response. */
async function readServerClock(api: string): Promise<void> {
  const requestedAt = performance.now();
  const response = await fetch(`${api}/forms/`, { method: 'HEAD', cache: 'no-store' });
  const server = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds: on average half a second has passed since.
  if (!Number.isNaN(server)) reading = { server: server + 500, at: (requestedAt + performance.now()) / 2 };
}

/** The server's time in milliseconds since 1970; null until known. */
function serverNow(): number | null {
  return reading && reading.server + performance.now() - reading.at;
}
