import { createHash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { challengeOf, solve } from './proof-of-work';

function challenge(number: number) {
  const salt = 'contact_messages.1761460800.00ff';
  const hash = createHash('sha256').update(`${salt}:${number}`).digest('hex');
  return { salt, hash, max_number: 2_000, signature: 'ab12' };
}

it('finds the number, the first and the last too', async () => {
  for (const number of [0, 1, 255, 256, 1_234, 1_999]) {
    expect(await solve(challenge(number))).toBe(`contact_messages.1761460800.00ff:${number}:ab12`);
  }
});

it('gives up if there is none', async () => {
  expect(await solve(challenge(1_000_000))).toBeNull();
});

it('ends when the user stops it', async () => {
  const digest = vi.spyOn(crypto.subtle, 'digest');
  const abort = new AbortController();
  const solving = solve({ ...challenge(1_000_000), max_number: 1_000_000 }, abort.signal);
  abort.abort();
  expect(await solving).toBeNull();
  expect(digest.mock.calls.length).toBeLessThan(1_000);
  digest.mockRestore();
});

it('parses only valid challenges', () => {
  expect(challengeOf(challenge(7))).toEqual(challenge(7));
  for (const other of [
    undefined,
    null,
    'text',
    {},
    { ...challenge(7), hash: 'x' },
    { ...challenge(7), max_number: '7' },
  ]) {
    expect(challengeOf(other)).toBeUndefined();
  }
});
