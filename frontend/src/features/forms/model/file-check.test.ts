import { expect, it } from 'vitest';
import { type FormField, forms } from '@/shared/api/generated/forms';
import { bytesText } from './amounts';
import { refusalOf } from './file-check';

const heads: Record<string, string> = {
  jpeg: '\xFF\xD8\xFF\xE0',
  png: '\x89PNG\r\n\x1A\n',
  webp: 'RIFF\0\0\0\0WEBP',
  pdf: '%PDF-1.7',
  heic: '\0\0\0\x18ftypheic',
  html: '<!doctype html>',
};

function file(kind: string, size = 100, name = `a.${kind}`): File {
  const bytes = new Uint8Array(size);
  bytes.set([...(heads[kind] ?? '')].map((letter) => letter.charCodeAt(0)));
  return new File([bytes], name);
}

const field = (name: string) => forms.asian.fields.find((field) => field.name === name) as FormField;
const LIMIT = 5 * 1024 * 1024;

it.each(forms.asian.fields.filter(({ kind }) => kind === 'file').map(({ name }) => name))(
  '%s takes 5,242,880 bytes and refuses one more',
  async (name) => {
    expect(await refusalOf(field(name), file('jpeg', LIMIT))).toBeNull();
    expect((await refusalOf(field(name), file('jpeg', LIMIT + 1)))?.toast).toBe(`${name} file must be less than 5MB`);
  },
);

it.each([
  ['film_poster', 'jpeg', true],
  ['film_poster', 'png', true],
  ['film_poster', 'webp', true],
  ['film_poster', 'pdf', false],
  ['producer_consent', 'pdf', true],
  ['film_poster', 'html', false],
])('%s: %s', async (name, kind, taken) => {
  expect((await refusalOf(field(name), file(kind))) === null).toBe(taken);
});

it('goes by the bytes, whatever the name says', async () => {
  expect((await refusalOf(field('signature'), file('html', 100, 'a.jpg')))?.message).toContain('JPEG, PNG, WebP');
  expect((await refusalOf(field('signature'), file('heic', 100, 'a.jpg')))?.message).toContain('Save it as JPEG');
  expect((await refusalOf(field('signature'), new File([], 'a.jpg')))?.message).toContain('empty');
});

it.each([
  [100, '100 bytes'],
  [2048, '2 kB'],
  [LIMIT, '5 MB'],
  [LIMIT + 1, 'more than 5 MB'],
  [LIMIT * 1.3, '6.5 MB'],
])('%d bytes read %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
