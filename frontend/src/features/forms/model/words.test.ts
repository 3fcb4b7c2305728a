import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { countWords } from './words';

const examples: { text: string; words: number }[] = JSON.parse(readFileSync('../tests/fixtures/words.json', 'utf8'));

it.each(examples)('$text', ({ text, words }) => {
  expect(countWords(text)).toBe(words);
});

// A pattern with backtracking would not finish.
it('counts five megabytes', () => {
  const text = 'നല്ല film, well-made — '.repeat(200_000);
  expect(countWords(text)).toBe(600_000);
});
