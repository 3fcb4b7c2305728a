import { useEffect } from 'react';
import { useApi } from '@/shared/api';
import type { FormRules } from '@/shared/api/generated/api';
import { extraFields, type FormField } from '@/shared/api/generated/forms';
import type { Draft } from '../model/draft-store';
import { inputId } from '../model/form-element';
import { Field } from './field';

/** A line of text that need not be filled in. */
const optional: Omit<FormField, 'name' | 'label' | 'hint'> = {
  kind: 'text',
  required: false,
  placeholder: '',
  default: '',
  max_characters: 0,
  words: 0,
  min: null,
  max: null,
  choices: [],
  accept: '',
  max_bytes: 0,
};

const utr: FormField = {
  ...optional,
  name: extraFields.utr,
  label: 'UTR of the payment (optional)',
  hint: 'The number under which the bank keeps it: 12 digits with UPI, 16 characters with NEFT, 22 with RTGS. Apps also call it transaction or reference number.',
};

const feeCode: FormField = {
  ...optional,
  name: extraFields.fee_code,
  label: 'Discount code (optional)',
  hint: 'Pay what you were told with the code: the QR code holds the whole fee. If nothing is due, add a picture of the letter that waives the fee in place of the screenshot.',
};

/** A field that is not one of the form's own. */
function LateField({ field, draft }: { field: FormField; draft: Draft }) {
  const { name } = field;
  // It may be rendered after the draft was restored. Not as the input's default value: the form can be cleared.
  useEffect(() => {
    const input = document.getElementById(inputId(name));
    if (input instanceof HTMLInputElement) input.value ||= draft.values[name] ?? '';
  }, [draft, name]);

  return <Field field={field} problem="" text="" wide />;
}

/** The number of the payment, if its sender has it at hand. */
export function UtrField({ draft }: { draft: Draft }) {
  return <LateField field={utr} draft={draft} />;
}

/** A code that reduces the fee, where the festival has given some. */
export function FeeCodeField({ draft }: { draft: Draft }) {
  const rules = useApi<FormRules>('/forms/');
  if (rules.status !== 'loaded' || !rules.data.takes_fee_codes) return null;
  return <LateField field={feeCode} draft={draft} />;
}
