import { memo, type ReactNode } from 'react';
import type { FormField } from '@/shared/api/generated/forms';
import { inputId } from '../model/form-element';
import { ChoiceInput } from './choice-input';
import styles from './field.module.css';
import { TextInput } from './text-input';
import { WordCounter } from './word-counter';

interface FieldProps {
  field: FormField;
  /** What is wrong with it; empty: nothing. */
  problem: string;
  /** What was typed, where its words are counted. */
  text: string;
  /** It takes the whole line. */
  wide: boolean;
  /** An input of another kind. */
  children?: ReactNode;
}

/** The attributes that tie an input to its label, its hint and what is wrong with it. */
export function inputAttributes(field: FormField, problem: string) {
  const described = [
    field.hint ? `${inputId(field.name)}-hint` : '',
    field.words > 0 ? `${inputId(field.name)}-words` : '',
    problem ? `${inputId(field.name)}-problem` : '',
  ];
  return {
    'aria-required': field.required,
    'aria-invalid': problem !== '',
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
  };
}

/** Whether a field is a group of radio buttons: two choices are seen at a glance, more of them make a list. */
export function isGroup(field: FormField): boolean {
  return field.kind === 'membership' || (field.kind === 'choice' && field.choices.length <= 2);
}

/** One field of a form: label, hint, input, and what is wrong with it. */
export const Field = memo(function Field({ field, problem, text, wide, children }: FieldProps) {
  const id = inputId(field.name);
  const label = field.label;
  const body = (
    <>
      {field.hint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          {field.hint}
        </p>
      ) : null}
      {children ?? <OwnInput field={field} problem={problem} />}
      {field.words > 0 ? <WordCounter id={`${id}-words`} text={text} limit={field.words} /> : null}
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
    <div {...attributes}>
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
