import { expect, it } from 'vitest';
import { cssName } from './css-names.mjs';

it('names a class by its file and its own name', () => {
  expect(cssName('word', '/src/app/home/hero.module.css')).toBe('hero-word');
  expect(cssName('name', '/src/app/home/hero.module.css')).toBe('hero-name');
});

it('refuses names that are no valid identifiers', () => {
  expect(() => cssName('switch', '/src/one/views.module.css')).toThrow('switch');
  expect(() => cssName('two-words', '/src/one/views.module.css')).toThrow('two-words');
});

it('refuses two files with the same name', () => {
  cssName('list', '/src/one/rows.module.css');
  expect(() => cssName('list', '/src/two/rows.module.css')).toThrow('rows.module.css');
});
