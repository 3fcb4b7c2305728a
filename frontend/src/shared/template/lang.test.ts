import { expect, it } from 'vitest';
import vectors from '../../../../tests/fixtures/lang.json';
import { languageOf } from './lang';

it.each(vectors)('says of %j what the server says', (text, language) => {
  expect(languageOf(text as string)).toBe(language);
});
