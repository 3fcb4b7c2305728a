import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cleanText, hasControl } from './clean-text';
import { type Reading, readEmail, readLink, readTelephone, readWholeNumber, runs } from './readings';

function examples<T>(name: string): T[] {
  return JSON.parse(readFileSync(`../tests/fixtures/${name}.json`, 'utf8'));
}

const readers: Record<string, (text: string) => Reading> = {
  phone: readTelephone,
  minutes: (text) => readWholeNumber(text, 'minutes', 1, 1000),
  age: (text) => readWholeNumber(text, 'other', 1, 120),
  year: (text) => readWholeNumber(text, 'year', 1880, 2026),
  link: readLink,
  email: (text) => readEmail(text) ?? { read: 'refused', isOdd: false },
  runs: (text) => ({ read: runs(text) ? 'runs' : '', isOdd: false }),
};

it.each(examples<{ kind: string; text: string; read: string; reason: string | null }>('readings'))(
  '$kind: $text',
  ({ kind, text, read, reason }) => {
    expect(readers[kind]?.(text)).toEqual({ read, isOdd: reason !== null });
  },
);

it.each(examples<{ text: string; lines: string; line: string }>('clean-text'))('$text', ({ text, lines, line }) => {
  expect(cleanText(text, true)).toBe(lines);
  expect(cleanText(text, false)).toBe(line);
  expect(hasControl(lines)).toBe(false);
});

it('leaves control characters to be refused', () => {
  expect(hasControl(cleanText('a\u0001b', true))).toBe(true);
});
