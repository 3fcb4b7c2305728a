import type { FormRules } from '@/shared/api/generated/api';
import { extraFields, type FormDescription } from '@/shared/api/generated/forms';
import { bytesText } from './amounts';
import type { ChosenFile } from './chosen-file';
import { textOf, type Values } from './entries';
import type { Receipt } from './receipt';
import type { Answer } from './send';

/** The receipt of a form that was accepted. */
export function receiptOf(
  form: FormDescription,
  title: string,
  { values, files, code }: { values: Values; files: Record<string, ChosenFile>; code: string },
  rules: FormRules | undefined,
  answer: Extract<Answer, { kind: 'accepted' }>,
): Receipt {
  const own = rules?.forms.find(({ key }) => key === form.key);
  const { received_text: received, is_late: late } = answer.body;
  return {
    form: title,
    reference: answer.reference,
    received: typeof received === 'string' ? received : '',
    late: late === true,
    nextSteps: own?.next_steps ?? '',
    corrections: rules?.corrections ?? '',
    fields: [
      ...entry('Payment code', code),
      ...entry('UTR', values[extraFields.utr]),
      ...entry('Discount code', values[extraFields.fee_code]),
      ...form.fields.flatMap((field) => {
        const text = field.kind === 'file' ? '' : textOf(field, values);
        const value = field.choices.find(({ key }) => key === text)?.label ?? text;
        return entry(plain(field.label), value);
      }),
    ],
    files: form.fields.flatMap(({ name, label }) => {
      const file = files[name];
      return file ? [{ label: plain(label), name: file.name, size: bytesText(file.size) }] : [];
    }),
  };
}

/** The entries, without empty ones. */
function entry(label: string, value = ''): { label: string; value: string }[] {
  return value ? [{ label, value }] : [];
}

/** A label without its limits, which are in brackets. */
function plain(label: string): string {
  return label.replace(/ \((optional|[^)]* [^)]*)\)$/, '');
}
