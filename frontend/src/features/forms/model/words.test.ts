import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { countWords } from './words';

const examples: { text: string; words: number }[] = JSON.parse(readFileSync('../tests/fixtures/words.json', 'utf8'));

it.each(examples)('$text', ({ text, words }) => {
  expect(countWords(text)).toBe(words);
});

it('counts five megabytes without a long wait', () => {
  const text = 'നല്ല film, well-made — '.repeat(200_000);
  const begun = performance.now();
  expect(countWords(text)).toBe(600_000);
  expect(performance.now() - begun).toBeLessThan(2000);
});
