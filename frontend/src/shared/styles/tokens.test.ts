import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const files = Object.keys(import.meta.glob('/src/**/*.css'));
const sheets = files.map((file) => ({
  file,
  text: readFileSync(`.${file}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, ''),
}));
/** The widths of a window at which pages change, in rem, as docs/design.md names them. */
const breakpoints = { phone: 30, columns: 40, tablet: 48, laptop: 64, desktop: 72 };
const defined = new Set(sheets.flatMap(({ text }) => text.match(/--[\w-]+(?=\s*:)/g) ?? []));

describe('style sheets', () => {
  it('exist', () => {
    expect(files.length).toBeGreaterThan(40);
  });

  // An undefined name is no error to a browser: its colour is simply missing.
  it('use only names that one of them defines', () => {
    const unknown = sheets.flatMap(({ file, text }) =>
      [...text.matchAll(/var\((--[\w-]+)/g)]
        .filter(([, name]) => !defined.has(name as string))
        .map(([, name]) => `${file} ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  // The dark of the hall, the light and the pigments have names; a literal colour does not adapt to its surface.
  it('write no colour outside of the tokens', () => {
    const free = sheets
      .filter(({ file }) => !file.endsWith('/tokens.css') && !file.includes('/styleguide/'))
      .flatMap(({ file, text }) =>
        (text.match(/#[0-9a-f]{3,8}\b(?![^{]*\{)/gi) ?? []).map((colour) => `${file} ${colour}`),
      )
      // Ink on white paper, and the white that a QR code needs around it.
      .filter((found) => !/base\.css #(000|444|999)$/.test(found) && !found.endsWith('upi-code.module.css #fff'));
    expect(free).toEqual([]);
  });

  it('change at the five breakpoints', () => {
    // A range that begins where another ends differs by a hundredth.
    const known = new Set(
      Object.values(breakpoints)
        .flatMap((rem) => [rem, rem - 0.01, rem + 0.01])
        .map((rem) => `${rem}rem`),
    );
    const others = sheets.flatMap(({ file, text }) =>
      (text.match(/@media[^{]*/g) ?? [])
        .flatMap((query) => query.match(/\d[\w.]*/g) ?? [])
        .filter((width) => !known.has(width))
        .map((width) => `${file} ${width}`),
    );
    expect(others).toEqual([]);
  });
});
