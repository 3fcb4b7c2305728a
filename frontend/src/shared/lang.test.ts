import { expect, it } from 'vitest';
import vectors from '../../../tests/fixtures/lang.json';
import { languageOf, scriptOf } from './lang';

it.each(vectors)('detects the same language of %j as the server', (text, language) => {
  expect(languageOf(text as string)).toBe(language);
});

it('detects texts that run from right to left', () => {
  expect(scriptOf('الفيلم')).toEqual({ lang: 'ar', dir: 'rtl' });
  expect(scriptOf('سه زن و گربه')).toEqual({ lang: 'fa', dir: 'rtl' });
  expect(scriptOf('ಫ್ಲೇಮ್ಸ್')).toEqual({ lang: 'kn' });
  expect(scriptOf(null)).toEqual({ lang: 'en' });
});
