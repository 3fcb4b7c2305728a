/** A repeatable stream of random numbers: the same seed text always draws the same picture. */
export function random(seedText) {
  let state = 2166136261;
  for (const letter of seedText) state = Math.imul(state ^ letter.codePointAt(0), 16777619);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

/** Calls `draw(i)` for 0..count-1 and joins what it returns. */
export const repeat = (count, draw) => Array.from({ length: count }, (_, i) => draw(i)).join('');
