import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { upiLink } from './upi';

const examples: (Parameters<typeof upiLink>[0] & { link: string })[] = JSON.parse(
  readFileSync('../tests/fixtures/upi-links.json', 'utf8'),
);

it('writes payments as UPI apps read them, equal to the link in the settings', () => {
  expect(examples).toHaveLength(5);
  for (const { link, ...payment } of examples) expect(upiLink(payment)).toBe(link);
});
