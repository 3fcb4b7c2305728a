import { expect, it } from 'vitest';
import { RING, ringAt, steps } from './use-ring';

it('shows the beginning of the list and its end behind it', () => {
  expect(ringAt(0, 700)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 696, 697, 698, 699]);
  expect(ringAt(7, 3)).toEqual([0, 1, 2]);
  expect(ringAt(0, RING)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

it('goes through all items in turn, forwards and backwards, and fills only slides out of view', () => {
  for (const way of [1, -1]) {
    let before = ringAt(0, 700);
    for (let move = 1; move <= 1500; move++) {
      const position = way * move;
      const now = ringAt(position, 700);
      for (let place = 0; place < 5; place++) {
        // The items in view at this step are in the slides that arrive there.
        const slide = (((position + place) % RING) + RING) % RING;
        expect(now[slide]).toBe((((position + place) % 700) + 700) % 700);
      }
      const changed = now.filter((thing, slide) => thing !== before[slide]);
      expect(changed).toHaveLength(1);
      before = now;
    }
  }
});

it('counts steps in the shorter direction', () => {
  expect([steps(0, 1), steps(11, 0), steps(0, 11), steps(10, 2), steps(2, 10), steps(5, 5)]).toEqual([
    1, 1, -1, 4, -4, 0,
  ]);
});
