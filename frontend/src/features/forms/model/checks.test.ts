import { describe, expect, it } from 'vitest';
import { type FormDescription, type FormKey, forms } from '@/shared/api/generated/forms';
import { findProblems, textOf, type Values } from './checks';

const loose = { consent: false, words: false };
const samples: Record<string, string> = {
  email: 'a@example.org',
  phone: '+91 484 000 0000',
  link: 'https://example.org/film',
  integer: '90',
  year: '2024',
};

/** A form with everything in it. */
function full(form: FormDescription): { values: Values; chosen: Set<string>; unreadable: Set<string> } {
  const texts = form.fields.filter(({ kind }) => kind !== 'file');
  return {
    values: Object.fromEntries(
      texts.map(({ name, kind, choices }) => [name, choices[0]?.key ?? samples[kind] ?? 'text']),
    ),
    chosen: new Set(form.fields.filter(({ kind }) => kind === 'file').map(({ name }) => name)),
    unreadable: new Set(),
  };
}

/** The specification's order of the delegate form; the photo is optional. */
const delegateOrder =
  'name email mobile address age occupation category transaction_details screenshot signature'.split(' ');

describe.each(Object.keys(forms) as FormKey[])('%s', (key) => {
  const form = forms[key];

  it('has nothing to say of a form with everything in it', () => {
    expect(findProblems(form, full(form), loose)).toEqual([]);
  });

  it('reports what is missing in the order of its fields, and nothing that has a default', () => {
    const nothing = { values: {}, chosen: new Set<string>(), unreadable: new Set<string>() };
    const expected = form.fields.filter((field) => field.required && !field.default);
    const found = findProblems(form, nothing, loose);
    expect(found.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    expect(found.map(({ message }) => message)).toEqual(
      expected.map(({ name }) => `Please fill in ${name.replaceAll('_', ' ')}`),
    );
  });

  it('takes blanks for nothing', () => {
    const entries = full(form);
    entries.values.email = entries.values.title_original = ' \n\u00a0 ';
    const [first] = findProblems(form, entries, loose);
    expect(first?.message).toMatch(/^Please fill in (email|title original)$/);
  });
});

it('keeps to the specified order of the delegate form', () => {
  const nothing = { values: {}, chosen: new Set<string>(), unreadable: new Set<string>() };
  expect(findProblems(forms.delegate, nothing, loose).map(({ name }) => name)).toEqual(delegateOrder);
});

it('says what is missing before what is wrong', () => {
  const entries = full(forms.asian);
  entries.values.producer_email = 'nobody';
  entries.values.cast_and_crew = '';
  expect(findProblems(forms.asian, entries, loose).map(({ name }) => name)).toEqual([
    'cast_and_crew',
    'producer_email',
  ]);
});

it.each([
  [
    'director_email',
    ['a@b.co', 'ആദി@example.org', 'a+b@x.example'],
    ['a', 'a@b', 'a b@c.de', 'a@-b.de', '.a@b.de', 'a@b..de'],
  ],
  ['director_mobile', ['123456', '+91 (484) 000-0000'], ['12345', '12345 ext 6', '1'.repeat(21)]],
  ['screener_link', ['http://x', 'HTTPS://example.org/a?b=c'], ['example.org', 'ftp://x', 'https://', 'https://a b']],
  ['duration_minutes', ['1', '1000'], ['0', '1001', '1.5', '1e2', 'x']],
  [
    'year_of_production',
    ['1880', String(new Date().getFullYear() + 1)],
    ['1879', String(new Date().getFullYear() + 2)],
  ],
] as const)('%s', (name, right, wrong) => {
  const problem = (text: string) => {
    const entries = full(forms.malayalam);
    entries.values[name] = text;
    return findProblems(forms.malayalam, entries, loose).map((problem) => problem.name);
  };
  for (const text of right) expect(problem(text), text).toEqual([]);
  for (const text of wrong) expect(problem(text), text).toEqual([name]);
});

it('takes what the browser cannot read for wrong, not for missing', () => {
  const entries = full(forms.asian);
  entries.values.duration_minutes = '';
  entries.unreadable.add('duration_minutes');
  expect(findProblems(forms.asian, entries, loose)[0]?.message).toContain('is not a whole number');
});

it('asks for consent and for short texts only where organisers want that', () => {
  const entries = full(forms.asian);
  entries.values.synopsis_short = 'word '.repeat(101);
  expect(findProblems(forms.asian, entries, loose)).toEqual([]);
  const strict = findProblems(forms.asian, entries, { consent: true, words: true });
  expect(strict.map(({ name }) => name)).toEqual(['consent', 'synopsis_short']);
});

it('fills in the defaults', () => {
  const field = (name: string) => forms.asian.fields.filter((field) => field.name === name);
  expect(field('screener_link_password').map((field) => textOf(field, {}))).toEqual(['NO']);
  expect(field('presentation_format').map((field) => textOf(field, { presentation_format: '  ' }))).toEqual(['DCP']);
});
