import { describe, expect, it } from 'vitest';
import { forms } from '@/shared/api/generated/all-forms';
import type { FormDescription, FormKey } from '@/shared/api/generated/forms';
import { findProblems, noteOn } from './checks';
import { textOf, type Values } from './entries';

const loose = { wordLimits: false, consentBox: false };
const samples: Record<string, string> = {
  email: 'a@example.org',
  phone: '+91 484 000 0000',
  link: 'https://example.org/film',
  integer: '90',
  year: '2024',
};

/** A completely filled form. */
function full(form: FormDescription): { values: Values; chosen: Set<string>; unreadable: Set<string> } {
  const typed = form.fields.filter(({ kind }) => kind !== 'file');
  return {
    values: Object.fromEntries(
      typed.map(({ name, kind, choices }) => [name, choices[0]?.key ?? samples[kind] ?? 'text']),
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

  it('reports nothing for a completely filled form', () => {
    expect(findProblems(form, full(form), loose)).toEqual([]);
  });

  it('reports what is missing in the order of its fields, and nothing that has a default', () => {
    const nothing = { values: {}, chosen: new Set<string>(), unreadable: new Set<string>() };
    const required = form.fields.filter((field) => field.required && !field.default);
    const found = findProblems(form, nothing, loose);
    expect(found.map(({ name }) => name)).toEqual(required.map(({ name }) => name));
    expect(found.map(({ message }) => message)).toEqual(
      required.map(({ name }) => `Please fill in ${name.replaceAll('_', ' ')}`),
    );
  });

  it('treats invisible characters as empty', () => {
    const entries = full(form);
    entries.values.email = entries.values.title_original = ' \n\u00a0\u200b\ufeff ';
    const [first] = findProblems(form, entries, loose);
    if (key === 'contact') expect(first).toBeUndefined();
    else expect(first?.message).toMatch(/^Please fill in (email|title original)$/);
  });
});

it('keeps to the specified order of the delegate form', () => {
  const nothing = { values: {}, chosen: new Set<string>(), unreadable: new Set<string>() };
  expect(findProblems(forms.delegate, nothing, loose).map(({ name }) => name)).toEqual(delegateOrder);
});

it('reports missing fields before invalid ones', () => {
  const entries = full(forms.asian);
  entries.values.producer_email = 'nobody';
  entries.values.cast_and_crew = '';
  expect(findProblems(forms.asian, entries, loose).map(({ name }) => name)).toEqual([
    'cast_and_crew',
    'producer_email',
  ]);
});

it.each([
  ['director_email', ['a@b.co', 'ആദി@example.org', 'a@b', '.a@b.de'], ['a', 'a b@c.de', 'a@-b.de', 'a@b..de', 'a@']],
  ['director_mobile', ['12345', '+91.484–123 (WhatsApp)', 'call me', '1'.repeat(21)], []],
  [
    'screener_link',
    ['example.org', 'on request', 'https://a b'],
    ['javascript:alert(1)', 'data:text/html,x', 'file:///x'],
  ],
  ['duration_minutes', ['0', '1500', '97.0', '1e2', '97 min', 'sixteen'], []],
  ['year_of_production', ['25', '1879', '3000', 'MMXXV'], []],
  ['title_original', ['a\tb', 'x'.repeat(5000)], ['a\u0001b', 'x'.repeat(70_000)]],
] as const)('%s: only what the server refuses stands in the way', (name, right, wrong) => {
  const problem = (text: string) => {
    const entries = full(forms.malayalam);
    entries.values[name] = text;
    return findProblems(forms.malayalam, entries, loose).map((problem) => problem.name);
  };
  for (const text of right) expect(problem(text), text).toEqual([]);
  for (const text of wrong) expect(problem(text), text).toEqual([name]);
});

it.each([
  ['director_mobile', '+91 98765 43210', ''],
  ['director_mobile', '98765\u00a043210', ''],
  ['director_mobile', '98765.43210', 'We read this as +919876543210. If it is right, send it as it is.'],
  ['director_mobile', '987654321', 'We could not read a telephone number here. If it is right, send it as it is.'],
  ['duration_minutes', '97', ''],
  ['duration_minutes', '97.0', 'We read this as 97. If it is right, send it as it is.'],
  ['duration_minutes', '1500', 'This is unusual. If it is right, send it as it is.'],
  ['duration_minutes', 'sixteen', 'We could not read a whole number here. If it is right, send it as it is.'],
  ['year_of_production', 'MMXXV', 'We could not read a year here. If it is right, send it as it is.'],
  ['screener_link', 'vimeo.com/1', ''],
  ['screener_link', 'on request', 'We could not read a web address here. If it is right, send it as it is.'],
  ['director_email', 'a@b', 'This is unusual. If it is right, send it as it is.'],
  ['title_original', 'x'.repeat(301), 'This is unusual. If it is right, send it as it is.'],
  ['title_original', '\u200b', ''],
])('%s: %s is noted with "%s"', (name, text, note) => {
  const field = forms.malayalam.fields.find((field) => field.name === name);
  expect(field && noteOn(field, text, 'office@example.org')).toBe(note);
});

it('asks nothing of the contact form but the form of an e-mail address', () => {
  const problems = (values: Values) =>
    findProblems(forms.contact, { values, chosen: new Set(), unreadable: new Set() }, loose);
  expect(problems({})).toEqual([]);
  expect(problems({ contact: '?', name: '\u0001', message: 'x'.repeat(70_000) })).toEqual([]);
  expect(problems({ email: 'nobody', message: 'Hello' })).toEqual([
    { name: 'email', message: 'This is not an e-mail address like name@example.org' },
  ]);
});

it('treats input that the browser cannot read as invalid, not as missing', () => {
  const entries = full(forms.asian);
  entries.values.duration_minutes = '';
  entries.unreadable.add('duration_minutes');
  expect(findProblems(forms.asian, entries, loose)[0]?.message).toBe('Please write this number in digits.');
});

it('limits the number of words only if organisers want that', () => {
  const entries = full(forms.asian);
  entries.values.synopsis_short = 'word '.repeat(101);
  expect(findProblems(forms.asian, entries, loose)).toEqual([]);
  const strict = findProblems(forms.asian, entries, { ...loose, wordLimits: true });
  expect(strict.map(({ name }) => name)).toEqual(['synopsis_short']);
});

it('asks for no consent, unless organisers want a box: then last', () => {
  const message = 'Please read the notice on personal data and tick the box below it';
  const withBox = { ...loose, consentBox: true };
  for (const form of Object.values(forms)) {
    const entries = full(form);
    expect(findProblems(form, entries, loose)).toEqual([]);
    expect(findProblems(form, entries, withBox)).toEqual([{ name: 'consent', message }]);
    entries.values.consent = 'yes';
    expect(findProblems(form, entries, withBox)).toEqual([]);
  }
  const entries = full(forms.delegate);
  entries.values = { ...entries.values, name: '', email: 'no address' };
  expect(findProblems(forms.delegate, entries, withBox).map(({ name }) => name)).toEqual(['name', 'email', 'consent']);
});

it.each([
  ['17', true],
  ['1', true],
  ['17 years', true],
  ['18', false],
  ['0', false],
  ['', false],
])('age %s: says that a parent has to agree: %s', (typed, says) => {
  const age = forms.delegate.fields.find(({ name }) => name === 'age');
  const note = age && noteOn(age, typed, 'office@example.org');
  expect(note?.includes('a parent or guardian has to agree')).toBe(says);
  expect(note?.includes('write to office@example.org')).toBe(says);
});

it('fills in the defaults', () => {
  const field = (name: string) => forms.asian.fields.filter((field) => field.name === name);
  expect(field('screener_link_password').map((field) => textOf(field, {}))).toEqual(['NO']);
  expect(field('presentation_format').map((field) => textOf(field, { presentation_format: '  ' }))).toEqual(['DCP']);
});
