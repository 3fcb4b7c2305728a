import { expect, it } from 'vitest';
import { forms } from '@/shared/api/generated/all-forms';
import { bodyOf, textPairs } from './payload';

const own = { trap: '', elapsed: 12, notice: 'a1b2c3d4e5f6', code: 'QRSTUA' };
const sent = (form: 'asian' | 'malayalam' | 'delegate', values: Record<string, string>) =>
  Object.fromEntries(textPairs(forms[form], values, own));

it.each([
  ['first_film', 'First', 'First Film'],
  ['second_film', 'Second', 'Second Film'],
  ['neither', 'Second', 'No'],
])('the Malayalam choice %s is sent as %s and %s', (key, value, label) => {
  const pairs = sent('malayalam', { is_first_or_second_feature: key });
  expect(pairs).toMatchObject({ is_first_or_second_feature: value, declared_feature_label: label });
});

it('contains the award, the time it took and the trap field', () => {
  const pairs = sent('asian', { is_first_or_second_feature: 'No', title_original: '  വെളിച്ചം ' });
  expect(pairs).toMatchObject({
    award_category: 'asian',
    elapsed_seconds: '12',
    website: '',
    title_original: 'വെളിച്ചം',
  });
  expect(pairs).not.toHaveProperty('declared_feature_label');
  expect(sent('delegate', {})).not.toHaveProperty('award_category');
});

it('agrees to the notice that was displayed', () => {
  expect(sent('delegate', {})).toMatchObject({ consent: 'yes', consent_notice: 'a1b2c3d4e5f6' });
  const unknown = Object.fromEntries(textPairs(forms.delegate, {}, { ...own, notice: '' }));
  expect(unknown).not.toHaveProperty('consent');
  expect(unknown).not.toHaveProperty('consent_notice');
});

it('sends the payment code if there is a fee', () => {
  expect(sent('asian', {})).toMatchObject({ payment_code: 'QRSTUA' });
  expect(sent('delegate', {})).toMatchObject({ payment_code: 'QRSTUA' });
  expect(Object.fromEntries(textPairs(forms.contact, {}, own))).not.toHaveProperty('payment_code');
  expect(sent('asian', { payment_utr: ' 512345678901 ' })).toMatchObject({ payment_utr: '512345678901' });
  expect(sent('asian', { payment_utr: '' })).not.toHaveProperty('payment_utr');
  expect(sent('delegate', { fee_code: ' HALF ' })).toMatchObject({ fee_code: 'HALF' });
});

it('sends texts in the order of the fields and the files last', () => {
  const file = new File(['x'], 'a.png');
  const pairs = textPairs(forms.asian, {}, own);
  const body = bodyOf(forms.asian, pairs, { screenshot: file, film_poster: file }) as FormData;
  expect([...body.keys()].slice(-2)).toEqual(['film_poster', 'screenshot']);
  expect([...body.keys()].slice(0, 2)).toEqual(['title_original', 'title_english']);
});

it('sends a message as JSON', () => {
  const body = bodyOf(forms.contact, textPairs(forms.contact, { name: 'A' }, own), {});
  expect(JSON.parse(body as string)).toMatchObject({ name: 'A', email: '', website: '' });
});
