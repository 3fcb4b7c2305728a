import { describe, expect, it } from 'vitest';
import { repeats } from './upcoming-events';

/** The whole strip: the events and their repeats. */
const strip = (events: string[]) => [...events, ...repeats(events).map(({ event }) => event)];

describe('repeats', () => {
  it('is nothing without events', () => expect(repeats([])).toEqual([]));

  it('repeats one event to four cards', () => expect(strip(['a']).slice(0, 4)).toEqual(['a', 'a', 'a', 'a']));

  it('alternates two events to four cards', () => expect(strip(['a', 'b']).slice(0, 4)).toEqual(['a', 'b', 'a', 'b']));

  it.each([[['a']], [['a', 'b']], [['a', 'b', 'c']], [['a', 'b', 'c', 'd', 'e']]])(
    'holds the strip twice: %s',
    (events) => {
      const all = strip(events);
      expect(all.slice(all.length / 2)).toEqual(all.slice(0, all.length / 2));
      expect(new Set(repeats(events).map(({ key }) => key)).size).toBe(repeats(events).length);
    },
  );
});
