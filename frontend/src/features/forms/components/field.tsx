import { type FocusEvent, memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSite } from '@/shared/api';
import type { FormField } from '@/shared/api/generated/forms';
import { inputId } from '../model/form-element';
import { loadTools } from '../model/load-tools';
import { countWords } from '../model/words';
import { ChoiceInput } from './choice-input';
import styles from './field.module.css';
import { TextInput } from './text-input';

interface FieldProps {
  field: FormField;
  /** Error message; empty without an error. */
  problem: string;
  /** The text entered, for fields whose words are counted. */
  text: string;
  /** Takes the whole line. */
  wide: boolean;
  /** A custom input. */
  children?: ReactNode;
}

/** The attributes that connect an input to its label, hint and error message. */
export function inputAttributes(field: FormField, problem: string) {
  const described = [
    field.hint ? `${inputId(field.name)}-hint` : '',
    field.words > 0 ? `${inputId(field.name)}-words` : '',
    isTyped(field) ? `${inputId(field.name)}-note` : '',
    problem ? `${inputId(field.name)}-problem` : '',
  ];
  return {
    'aria-required': field.required,
    'aria-invalid': problem !== '',
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
  };
}

/** Whether it is a text input. */
function isTyped(field: FormField): boolean {
  return !['file', 'choice', 'membership'].includes(field.kind);
}

/** The note about an entry that the server stores and flags for the organisers, once the field has lost the focus. */
function useNote(field: FormField) {
  const { contact } = useSite();
  const [note, setNote] = useState('');
  const cancel = useRef(() => {});

  useEffect(() => () => cancel.current(), []);

  const onBlur = ({ target }: FocusEvent<HTMLElement>) => {
    if (!isTyped(field) || !(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const { value } = target;
    void loadTools().then(({ showNote }) => {
      // The user may go on typing while the tools are loading.
      if (target.value !== value) return;
      cancel.current();
      cancel.current = showNote(field, target, contact.email, setNote);
    });
  };

  const onInput = () => {
    cancel.current();
    setNote('');
  };

  return { note, listeners: { onBlur, onInput } };
}

/** Whether a field is a group of radio buttons: two choices can be shown at once, more of them are a list. */
export function isGroup(field: FormField): boolean {
  return field.kind === 'membership' || (field.kind === 'choice' && field.choices.length <= 2);
}

/** One field of a form: label, hint, input, and error message. */
export const Field = memo(function Field({ field, problem, text, wide, children }: FieldProps) {
  const id = inputId(field.name);
  const label = field.label;
  const { note, listeners } = useNote(field);
  const body = (
    <>
      {field.hint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          {field.hint}
        </p>
      ) : null}
      {children ?? <OwnInput field={field} problem={problem} />}
      {field.words > 0 ? <WordCounter id={`${id}-words`} text={text} limit={field.words} /> : null}
      {isTyped(field) ? (
        <p id={`${id}-note`} className={styles.note} role="status">
          {problem ? '' : note}
        </p>
      ) : null}
      {problem ? (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      ) : null}
    </>
  );
  const attributes = {
    className: styles.field,
    'data-kind': field.kind,
    'data-problem': problem !== '',
    'data-wide': wide,
  };
  if (isGroup(field)) {
    const { 'aria-required': _, ...group } = inputAttributes(field, problem);
    return (
      <div {...attributes} role="radiogroup" aria-labelledby={`${id}-label`} aria-required={field.required} {...group}>
        <p id={`${id}-label`} className={styles.label}>
          {label}
        </p>
        {body}
      </div>
    );
  }
  return (
    <div {...attributes} {...listeners}>
      <label htmlFor={id} id={`${id}-label`} className={styles.label}>
        {label}
      </label>
      {body}
    </div>
  );
});

function OwnInput({ field, problem }: { field: FormField; problem: string }) {
  return field.kind === 'choice' ? (
    <ChoiceInput field={field} problem={problem} />
  ) : (
    <TextInput field={field} problem={problem} />
  );
}

/** Word count of a text against the number asked for; longer texts are stored, with a note. */
function WordCounter({ id, text, limit }: { id: string; text: string; limit: number }) {
  const count = countWords(text);
  const over = count - limit;
  return (
    <p id={id} className={styles.counter} data-over={over > 0}>
      {`${count} of ${limit} words`}
      {over > 0 ? `. Please shorten it by ${over}: a catalogue has room for ${limit}. It can be sent as it is.` : null}
    </p>
  );
}
