import { expect, it } from 'vitest';
import type { Programme, Screening } from '@/shared/api';
import { hardData } from '@/test/hard-data';
import { addressesToKeep } from './keep';
import { nowAndNext } from './now';
import { festivalDay } from './times';

const released = hardData['/programme/'] as Programme;
const [sample] = released.screenings as [Screening];

const at = (time: string) => Date.parse(`2025-10-24T${time}:00+05:30`);
const screening = (id: number, hall: number, from: string, to: string, more: Partial<Screening> = {}): Screening => ({
  ...sample,
  id,
  hall,
  starts_at: `2025-10-24T${from}:00+05:30`,
  ends_at: `2025-10-24T${to}:00+05:30`,
  cancelled: false,
  ...more,
});

const screenings = [
  screening(1, 1, '10:00', '12:00'),
  screening(2, 2, '10:00', '11:00', { cancelled: true }),
  screening(3, 1, '12:30', '14:00'),
  screening(4, 2, '13:30', '15:00'),
];
const shown = (time: string) => {
  const { running, next } = nowAndNext({ screenings }, at(time));
  return [running.map(({ id }) => id), next.map(({ id }) => id)];
};

it('lists what runs and what begins within 90 minutes, or else what begins next, however far', () => {
  expect(shown('00:10')).toEqual([[], [1]]);
  expect(shown('10:00')).toEqual([[1], [3]]);
  expect(shown('11:59')).toEqual([[1], [3]]);
  expect(shown('12:00')).toEqual([[], [3, 4]]);
  expect(shown('12:30')).toEqual([[3], [4]]);
  expect(shown('15:00')).toEqual([[], []]);
});

it('caches the pages and posters of starred films only, each once', () => {
  const films = [1, 2].map((id) => ({ ...released.films[id], id, poster: id === 1 ? '/media/a.webp' : null }));
  const shows = (id: number, ids: number[]) => ({ ...sample, id, films: ids });
  const all = { ...released, films, screenings: [shows(1, [1]), shows(2, [1, 2]), shows(3, [])] } as Programme;
  expect(addressesToKeep(all, new Set([1]))).toEqual(['/films/1?film=1', '/media/a.webp']);
  expect(addressesToKeep(all, new Set([1, 2]))).toEqual(['/films/1?film=1', '/media/a.webp', '/films/1?film=2']);
  expect(addressesToKeep(all, new Set([3, 99]))).toEqual([]);
});

it('determines the festival day, until 5 in the morning, in any time zone of the visitor', () => {
  const days = screenings.map((one) => ({ ...one, day: '2025-10-24' }));
  const day = (time: string) => festivalDay(days, Date.parse(time));
  expect(day('2025-10-24T04:59:00+05:30')).toBeNull();
  expect(day('2025-10-24T05:00:00+05:30')).toBe('2025-10-24');
  expect(day('2025-10-24T17:00:00-06:00')).toBe('2025-10-24');
  expect(day('2025-10-25T04:59:00+05:30')).toBe('2025-10-24');
  expect(day('2025-10-25T05:00:00+05:30')).toBeNull();
  expect(festivalDay([], Date.parse('2025-10-24T12:00:00+05:30'))).toBeNull();
});
