/** A strip has at least this many cards. */
const LEAST = 4;

/**
 * What follows the events themselves: one event fills the strip up to four cards, two alternate up to four, and then
 * the whole strip comes once more, so that it can run round without a gap.
 */
export function repeats<T>(events: T[]): { key: string; event: T }[] {
  if (events.length === 0) return [];
  const filled = Math.max(LEAST, events.length);
  return Array.from({ length: 2 * filled - events.length }, (_, index) => {
    const place = (events.length + index) % filled;
    return { key: `repeat-${index}`, event: events[place % events.length] as T };
  });
}
