/** How long it still is, in whole units. */
export interface TimeLeft {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/**
 * The time from `now` (milliseconds) to `target`, null once it has come or where it is no date. A target without an
 * offset ("2025-09-03T22:00:00") is the visitor's local time.
 */
export function timeLeft(target: string, now: number): TimeLeft | null {
  const seconds = Math.ceil((new Date(target).getTime() - now) / 1000);
  if (!(seconds > 0)) return null;
  return {
    days: Math.floor(seconds / 86400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}
