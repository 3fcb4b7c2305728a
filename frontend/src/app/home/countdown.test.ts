import { describe, expect, it } from 'vitest';
import { timeLeft } from './countdown';

const target = '2025-09-03T22:00:00';
const local = new Date(2025, 8, 3, 22, 0, 0).getTime();

describe('timeLeft', () => {
  it('counts to the visitor’s own 22 o’clock', () => {
    const before = local - (((2 * 24 + 3) * 60 + 4) * 60 + 5) * 1000;
    expect(timeLeft(target, before)).toEqual({ days: 2, hours: 3, minutes: 4, seconds: 5 });
  });

  it('shows a second until it is over, and nothing from then on', () => {
    expect(timeLeft(target, local - 1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 1 });
    expect(timeLeft(target, local)).toBeNull();
    expect(timeLeft(target, local + 1)).toBeNull();
  });

  it('respects an offset and shows nothing for an invalid date', () => {
    expect(timeLeft('2025-09-03T22:00:00+05:30', Date.UTC(2025, 8, 3, 16, 29, 59))?.seconds).toBe(1);
    expect(timeLeft('soon', local)).toBeNull();
  });
});
