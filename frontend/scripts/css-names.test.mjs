import { expect, it } from 'vitest';
import { cssName } from './css-names.mjs';

it('calls a class by its file and its own name', () => {
  expect(cssName('word', '/src/app/home/hero.module.css')).toBe('hero-word');
  expect(cssName('name', '/src/app/home/hero.module.css')).toBe('hero-name');
});

it('refuses two files of one name', () => {
  cssName('list', '/src/one/rows.module.css');
  expect(() => cssName('list', '/src/two/rows.module.css')).toThrow('rows.module.css');
});
