import { expect, it } from 'vitest';
import { uniqueKey } from './draft-keeper';
import { paymentCode } from './payment-code';

const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const isValid = (code: string) =>
  [...code].reduce((sum, letter, index) => sum + (index + 1) * alphabet.indexOf(letter), 0) % 31 === 0;

it('makes six characters with a check, the same for the same seed', () => {
  const codes = Array.from({ length: 500 }, () => paymentCode(uniqueKey()));
  for (const code of codes) {
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
    expect(isValid(code), code).toBe(true);
  }
  expect(new Set(codes).size).toBeGreaterThan(495);
  const seed = uniqueKey();
  expect(paymentCode(seed)).toBe(paymentCode(seed));
});

it('makes codes in which each of 1,000 one-character typos is noticed', () => {
  let typos = 0;
  while (typos < 1000) {
    const code = paymentCode(uniqueKey());
    for (let place = 0; place < 6; place += 1) {
      const letter = alphabet[(alphabet.indexOf(code[place] ?? '') + 1 + (typos % 30)) % 31] ?? '';
      const typo = code.slice(0, place) + letter + code.slice(place + 1);
      expect(isValid(typo), `${code} ${typo}`).toBe(false);
      typos += 1;
    }
  }
});
