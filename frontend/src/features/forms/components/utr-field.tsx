import { useEffect } from 'react';
import { extraFields, type FormField } from '@/shared/api/generated/forms';
import type { Draft } from '../model/draft-store';
import { inputId } from '../model/form-element';
import { Field } from './field';

const field: FormField = {
  name: extraFields.utr,
  label: 'UTR of the payment (optional)',
  kind: 'text',
  required: false,
  placeholder: '',
  hint: 'The number under which the bank keeps it: 12 digits with UPI, 16 characters with NEFT, 22 with RTGS. Apps also call it transaction or reference number.',
  default: '',
  max_characters: 0,
  words: 0,
  min: null,
  max: null,
  choices: [],
  accept: '',
  max_bytes: 0,
};

/** The number of the payment, if its sender has it at hand. It is not one of the form's own fields. */
export function UtrField({ draft }: { draft: Draft }) {
  // It may be rendered after the draft was restored. Not as the input's default value: the form can be cleared.
  useEffect(() => {
    const input = document.getElementById(inputId(extraFields.utr));
    if (input instanceof HTMLInputElement) input.value ||= draft.values[extraFields.utr] ?? '';
  }, [draft]);

  return <Field field={field} problem="" text="" wide />;
}
