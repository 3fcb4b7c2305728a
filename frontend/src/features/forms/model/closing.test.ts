import { expect, it } from 'vitest';
import type { FormTimes } from '@/shared/api/generated/api';
import { closingOf, leftText } from './closing';

const text = '1 September 2026, 11:59 PM (Asia/Kolkata, UTC+05:30)';
const times = {
  key: 'asian',
  closes_at: '2026-09-01T23:59:00+05:30',
  accepted_until: '2026-09-02T00:59:00+05:30',
  late_after: '2026-09-01T23:59:00+05:30',
  late_after_text: text,
  next_steps: '',
  standing: 'open',
} satisfies FormTimes;
const at = (moment: string) => Date.parse(moment);

it('is open, late during the grace period, and closed after it, by the given clock', () => {
  expect(closingOf(times, at('2026-08-29T19:59:00+05:30'))).toEqual({
    kind: 'open',
    text,
    left: '3 days 4 hours',
    soon: false,
  });
  expect(closingOf(times, at('2026-09-01T23:00:00+05:30'))).toMatchObject({ left: '59 minutes', soon: true });
  expect(closingOf(times, at('2026-09-02T00:30:00+05:30'))).toEqual({ kind: 'late', text });
  expect(closingOf(times, at('2026-09-02T00:59:01+05:30'))).toEqual({ kind: 'closed', text });
});

it('is never closed without a closing time', () => {
  const open = { ...times, closes_at: null, accepted_until: null };
  expect(closingOf(open, at('2030-01-01T00:00:00Z'))).toEqual({ kind: 'late', text });
  expect(closingOf({ ...open, late_after: null, late_after_text: '' }, at('2030-01-01T00:00:00Z'))).toMatchObject({
    kind: 'open',
    text: '',
  });
});

it.each([
  [30_000, 'less than a minute'],
  [60_000, '1 minute'],
  [3_600_000 * 5 + 60_000 * 20, '5 hours 20 minutes'],
  [86_400_000, '1 day'],
  [86_400_000 * 12 + 3_600_000, '12 days'],
])('%d ms are %s', (milliseconds, words) => {
  expect(leftText(milliseconds)).toBe(words);
});
