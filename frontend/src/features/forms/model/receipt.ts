import type { FormDescription } from '@/shared/api/generated/forms';
import type { FormRules } from '@/shared/api/generated/forms-api';
import { textOf, type Values } from './checks';
import type { ChosenFile } from './chosen-file';
import type { Answer } from './send';

/** What people keep of a form that has arrived. It is made from what they sent, and never leaves their device. */
export interface Receipt {
  /** The form's heading. */
  form: string;
  reference: string;
  /** When it was received, with the time zone; empty: the server did not say. */
  received: string;
  late: boolean;
  /** What happens with it, and by when; empty: nothing is said. */
  nextSteps: string;
  /** Whom to write to for a correction; empty: there is no address. */
  corrections: string;
  fields: { label: string; value: string }[];
  files: { label: string; name: string; size: number }[];
}

/** Where the last receipt is on the device. */
const PLACE = 'festival-receipt';

/** The last receipt, where the browser has no such place. */
let last: Receipt | null = null;

/** The receipt of a form that was accepted. */
export function receiptOf(
  form: FormDescription,
  title: string,
  { values, files }: { values: Values; files: Record<string, ChosenFile> },
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
    fields: form.fields.flatMap((field) => {
      const text = field.kind === 'file' ? '' : textOf(field, values);
      const value = field.choices.find(({ key }) => key === text)?.label ?? text;
      return value ? [{ label: plain(field.label), value }] : [];
    }),
    files: form.fields.flatMap(({ name, label }) => {
      const file = files[name];
      return file ? [{ label: plain(label), name: file.name, size: file.size }] : [];
    }),
  };
}

/** A label without its limits, which stand in brackets. */
function plain(label: string): string {
  return label.replace(/ \((optional|[^)]* [^)]*)\)$/, '');
}

/** Keeps a receipt until the tab is closed. */
export function keepReceipt(receipt: Receipt): void {
  last = receipt;
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(receipt));
  } catch {
    // Full or closed: the page still has it.
  }
}

/** The last receipt of this tab, if it has one. */
export function readReceipt(): Receipt | null {
  if (last) return last;
  try {
    const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null');
    last = typeof kept?.reference === 'string' ? (kept as Receipt) : null;
  } catch {
    last = null;
  }
  return last;
}
