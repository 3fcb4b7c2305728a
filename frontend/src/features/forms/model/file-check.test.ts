import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forms } from '@/shared/api/generated/all-forms';
import { files } from '@/shared/api/generated/form-checks';
import type { FormField } from '@/shared/api/generated/forms';
import { bytesText } from './amounts';
import { doubtAbout, kindOf, refusalOf } from './file-check';

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

/** A browser that loads a picture of this size, or none; and that can decode it whole, or not. */
function browser(size: [number, number] | null, whole = true): void {
  class FakeImage {
    naturalWidth = size?.[0] ?? 0;
    naturalHeight = size?.[1] ?? 0;
    onload = () => undefined;
    onerror = () => undefined;
    set src(_address: string) {
      queueMicrotask(() => (size ? this.onload() : this.onerror()));
    }
  }
  vi.stubGlobal('Image', FakeImage);
  vi.stubGlobal('createImageBitmap', () =>
    whole ? Promise.resolve({ close: () => undefined }) : Promise.reject(new Error('cut off')),
  );
  URL.createObjectURL = () => 'blob:a';
  URL.revokeObjectURL = () => undefined;
}

beforeEach(() => browser([800, 500]));

const field = (name: string) => forms.asian.fields.find((field) => field.name === name) as FormField;
const LIMIT = 5 * 1024 * 1024;

it.each(forms.asian.fields.filter(({ kind }) => kind === 'file').map(({ name }) => name))(
  '%s takes 5,242,880 bytes and refuses one more',
  async (name) => {
    expect(await refusalOf(field(name), file('jpeg', LIMIT))).toBeNull();
    expect(await refusalOf(field(name), file('jpeg', LIMIT + 1))).toEqual({
      toast: `${name} file must be less than 5MB`,
      message: '“a.jpeg” has 5 MB. Please choose a file of less than 5 MB.',
    });
  },
);

it.each([
  ['film_poster', 'jpeg', true],
  ['film_poster', 'png', true],
  ['film_poster', 'webp', true],
  ['film_poster', 'pdf', false],
  ['film_poster', 'html', false],
])('%s: %s', async (name, kind, taken) => {
  expect((await refusalOf(field(name), file(kind))) === null).toBe(taken);
});

it('refuses a PDF without any object or end', async () => {
  const pdf = (text: string) => new File([text], 'a.pdf');
  expect((await refusalOf(field('producer_consent'), pdf('%PDF-1.7 cut off')))?.message).toBe(
    'This PDF is damaged or incomplete. Please save a new copy and choose that one.',
  );
  for (const text of ['%PDF-1.7\n1 0 obj', '%PDF-1.7\nstartxref', '%PDF-1.7\n%%EOF'])
    expect(await refusalOf(field('producer_consent'), pdf(text))).toBeNull();
});

const headOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

it.each([
  ['\xEF\xBB\xBF%PDF-1.4', 'application/pdf'],
  ['\x1B%-12345X@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.4', 'application/pdf'],
  [`${'\n'.repeat(files.head - 5)}%PDF-1.4`, 'application/pdf'],
  [`${'\n'.repeat(files.head)}%PDF-1.4`, undefined],
  ['<html>%PDF-1.4', ''],
  ['RIFF\0\0\0\0WAVE', undefined],
  ['\0\0\0\x18ftypheix', 'image/heic'],
  ['\0\0\0\x18ftypisom', 'video/mp4'],
  ['GIF89a', 'image/gif'],
  ['BM\x46\0\0\0\0\0\0\0', 'image/bmp'],
  ['BMW', undefined],
])('%j is %s', (head, mime) => {
  expect(kindOf(headOf(head))?.mime).toBe(mime);
});

it('checks the bytes, not the name, with the messages of the server', async () => {
  expect((await refusalOf(field('signature'), file('html', 100, 'a.jpg')))?.message).toBe(
    'This is a web page. Please save it as JPEG, PNG or WebP and choose it again.',
  );
  expect((await refusalOf(field('signature'), file('heic', 100, 'a.jpg')))?.message).toContain('Export it as JPEG');
  expect((await refusalOf(field('producer_consent'), file('heic')))?.message).toContain('JPEG, PNG, WebP or PDF');
  expect((await refusalOf(field('signature'), file('none')))?.message).toContain('no file that we can read');
  expect((await refusalOf(field('signature'), new File([], 'a.jpg')))?.message).toContain('empty');
});

it('accepts a moving picture, and says what pages show of it', async () => {
  const webp = (flags: string) => new File([headOf(`RIFF\0\0\0\0WEBPVP8X\x0A\0\0\0${flags}`)], 'a.webp');
  const png = new File([headOf('\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR...............\0\0\0\x08acTL')], 'a.png');
  const sentence = 'This is a moving picture. It is kept as it is; pages show its first frame.';
  for (const moving of [webp('\x02'), png]) {
    expect(await refusalOf(field('signature'), moving)).toBeNull();
    expect(await doubtAbout(moving)).toBe(sentence);
  }
  expect(await doubtAbout(webp('\x10'))).toBe('');
});

describe('a picture as the browser decodes it', () => {
  it('is refused with too many pixels', async () => {
    browser([8100, 12000]);
    expect(await refusalOf(field('film_poster'), file('jpeg'))).toBeNull();
    browser([16384, 16385]);
    expect((await refusalOf(field('film_poster'), file('jpeg')))?.message).toBe(
      'This picture has 16384 x 16385 pixels, which is too many. At most 268 million are taken; please make it smaller.',
    );
  });

  it('is refused if nothing of it can be shown', async () => {
    browser(null);
    for (const kind of ['jpeg', 'png'])
      expect((await refusalOf(field('film_poster'), file(kind)))?.message).toBe(
        'This picture is damaged or incomplete. Please save a new copy and choose that one.',
      );
  });

  it('is accepted with a warning if it may be damaged', async () => {
    browser([800, 500], false);
    expect(await refusalOf(field('film_poster'), file('jpeg'))).toBeNull();
    expect(await doubtAbout(file('jpeg'))).toContain('may be damaged');
    browser(null);
    expect(await refusalOf(field('film_poster'), file('webp'))).toBeNull();
    expect(await doubtAbout(file('webp'))).toContain('cannot be shown');
    browser([800, 500]);
    expect(await doubtAbout(file('jpeg'))).toBe('');
    expect(await doubtAbout(file('pdf'))).toBe('');
  });
});

it.each([
  [100, '100 bytes'],
  [2048, '2 kB'],
  [LIMIT, '5 MB'],
  [2_097_153, '2 MB'],
  [LIMIT * 1.3, '6.5 MB'],
])('%d bytes read %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
