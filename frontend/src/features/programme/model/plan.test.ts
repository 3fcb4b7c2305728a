import { describe, expect, it } from 'vitest';
import type { Programme, Screening } from '@/shared/api';
import { fitTogether, instead, planFragment, planOf, proposalsFor, readFragment, wayText } from './plan';

const DAY = '2026-12-11';

function screening(id: number, from: string, to: string, hall: number, other: Partial<Screening> = {}): Screening {
  const at = (clock: string) => `${clock < '05:00' ? '2026-12-12' : DAY}T${clock}:00+05:30`;
  const times = { day: DAY, starts_at: at(from), ends_at: at(to) };
  return { ...times, id, hall, films: [id], cancelled: false, audience: 'all', ...other } as Screening;
}

const programme = {
  days: [DAY],
  halls: [
    { id: 1, walking: [{ hall: 2, minutes: 15 }] },
    { id: 2, walking: [] },
    { id: 3, walking: [] },
  ],
  screenings: [
    screening(1, '09:00', '11:00', 1),
    screening(2, '10:30', '12:00', 2),
    screening(3, '11:10', '13:00', 2),
    screening(4, '11:15', '13:00', 2),
    screening(5, '13:30', '15:00', 2, { cancelled: true }),
    screening(6, '14:00', '16:00', 1),
    screening(7, '17:00', '18:00', 3, { films: [2] }),
    screening(8, '23:30', '01:00', 3),
    screening(9, '00:30', '02:00', 3),
    screening(10, '19:00', '20:00', 3, { audience: 'delegates' }),
  ],
} as unknown as Programme;

const problems = (...ids: number[]) =>
  planOf(programme, new Set(ids)).flatMap(({ stops }) => stops.map(({ problem }) => problem));

describe('planOf', () => {
  it.each([
    ['overlaps', [1, 2], [null, 'clash']],
    ['leaves five minutes too few for the walk', [1, 3], [null, 'late']],
    ['leaves just enough for it', [1, 4], [null, null]],
    ['is compared with the longest before it, past midnight too', [8, 9], [null, 'clash']],
    ['is cancelled and in nobody’s way', [4, 5, 6], [null, null, null]],
  ])('says what %s', (_, ids, expected) => expect(problems(...ids)).toEqual(expected));

  it('knows the walk in both directions', () => {
    const walks = planOf(programme, new Set([4, 6]))[0]?.stops.map(({ walk }) => walk);
    expect(walks).toEqual([null, 15]);
  });
});

it('accepts screenings with time for the walk between them, in either order', () => {
  const [one, , three, four] = programme.screenings as [Screening, Screening, Screening, Screening];
  expect([fitTogether(programme, one, four), fitTogether(programme, four, one)]).toEqual([true, true]);
  expect([fitTogether(programme, one, three), fitTogether(programme, three, one)]).toEqual([false, false]);
});

it('suggests screenings that fit, of films that are not in the plan', () => {
  const proposed = proposalsFor(programme, new Set([1, 2]), DAY, 0).map(({ id }) => id);
  // 3 and 4 overlap with 2, 5 is cancelled, 7 shows the film of 2, 10 is for delegates and comes last.
  expect(proposed).toEqual([6, 10, 8, 9]);
});

it('suggests nothing that has begun', () => {
  const at = (clock: string) => Date.parse(`2026-12-11T${clock}:00+05:30`);
  const proposed = (clock: string) => proposalsFor(programme, new Set([1]), DAY, at(clock)).map(({ id }) => id);
  expect(proposed('19:00')).toEqual([8, 9]);
  expect(proposed('23:30')).toEqual([9]);
  const second = programme.screenings[1] as Screening;
  expect(instead(programme, new Set([1, 2]), second, at('17:00'))).toEqual([]);
});

it('names a walk that nobody takes as another town', () => {
  expect([14, 59, 95].map(wayText)).toEqual([
    '14 minutes on foot',
    '59 minutes on foot',
    'another town, 95 minutes away',
  ]);
});

it('finds the other screening of a film that clashes', () => {
  const second = programme.screenings[1] as Screening;
  expect(instead(programme, new Set([1, 2]), second, 0).map(({ id }) => id)).toEqual([7]);
});

it('encodes a plan in a link, and reads only existing screenings', () => {
  expect(readFragment(planFragment(new Set([1, 10, 8])), programme)).toEqual([1, 10, 8]);
  expect(readFragment('#plan=1.1.zz', programme)).toEqual([1]);
  for (const nothing of ['', '#plan=', '#plan=<x>', '#day']) expect(readFragment(nothing, programme)).toBeNull();
});
