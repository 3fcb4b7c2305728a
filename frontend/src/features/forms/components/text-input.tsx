import type { FormField } from '@/shared/api/generated/forms';
import { useInputAttributes } from '../hooks/use-input-attributes';
import { inputId } from '../model/form-element';
import styles from './input.module.css';

/** The input's type, and the keyboard that a phone shows for it. */
const types = {
  email: { type: 'email', inputMode: 'email' },
  phone: { type: 'tel', inputMode: 'tel' },
  link: { type: 'url', inputMode: 'url' },
  integer: { type: 'number', inputMode: 'numeric' },
  year: { type: 'number', inputMode: 'numeric' },
} as const;

/** Autofill values: only for data about the person who fills in the form. */
const ownDetails: Record<string, string> = {
  name: 'name',
  email: 'email',
  mobile: 'tel',
  contact: 'tel',
  address: 'street-address',
  name_of_submitter: 'name',
  correspondence_contact: 'tel',
  correspondence_email: 'email',
};

/** A single-line or multi-line input, by the field's kind. */
export function TextInput({ field, problem }: { field: FormField; problem: string }) {
  const attributes = {
    ...useInputAttributes(field, problem),
    id: inputId(field.name),
    name: field.name,
    className: styles.input,
    placeholder: field.placeholder || undefined,
    // A placeholder that states the default is read only while the field is empty; the default is sent in any case.
    defaultValue: (field.placeholder ? '' : field.default) || undefined,
    autoComplete: ownDetails[field.name],
  };
  if (field.kind === 'lines') return <textarea {...attributes} rows={field.words > 100 ? 8 : 4} />;
  const kind = field.kind in types ? types[field.kind as keyof typeof types] : { type: 'text' };
  // Scrolling with the wheel over a number input would change it.
  const onWheel =
    kind.type === 'number' ? (event: React.WheelEvent<HTMLInputElement>) => event.currentTarget.blur() : undefined;
  return <input {...attributes} {...kind} onWheel={onWheel} />;
}
