import { type FocusEvent, memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSite } from '@/shared/api';
import type { FormField } from '@/shared/api/generated/forms';
import { useInputAttributes } from '../hooks/use-input-attributes';
import { inputId, isGroup, isTextInput } from '../model/form-element';
import { loadTools } from '../model/load-tools';
import { secondProblem, useSecondLanguage } from '../model/second-language';
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

/** The note about an entry that the server stores and flags for the organisers, once the field has lost the focus. */
function useNote(field: FormField) {
  const { contact } = useSite();
  const [note, setNote] = useState('');
  const cancel = useRef(() => {});

  useEffect(() => () => cancel.current(), []);

  const onBlur = ({ target }: FocusEvent<HTMLElement>) => {
    if (!isTextInput(field) || !(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
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

/** One field of a form: label, hint, input, and error message. */
export const Field = memo(function Field({ field, problem, text, wide, children }: FieldProps) {
  const id = inputId(field.name);
  const second = useSecondLanguage();
  const secondTexts = second?.fields[field.name];
  const label = (
    <>
      <SecondText text={secondTexts?.label} />
      {field.label}
    </>
  );
  const { note, listeners } = useNote(field);
  const { 'aria-required': required, ...group } = useInputAttributes(field, problem);
  const body = (
    <>
      {field.hint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          <SecondText text={secondTexts?.hint} />
          {field.hint}
        </p>
      ) : null}
      {children ?? <OwnInput field={field} problem={problem} />}
      {field.words > 0 ? <WordCounter id={`${id}-words`} text={text} limit={field.words} /> : null}
      {isTextInput(field) ? (
        <p id={`${id}-note`} className={styles.note} role="status">
          {problem ? '' : note}
        </p>
      ) : null}
      {problem ? (
        <div className={styles.problem}>
          {second ? (
            <p id={`${id}-second-problem`} lang={second.lang}>
              {secondProblem(second, field, problem)}
            </p>
          ) : null}
          <p id={`${id}-problem`}>{problem}</p>
        </div>
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
    return (
      <div {...attributes} role="radiogroup" aria-labelledby={`${id}-label`} aria-required={required} {...group}>
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

/** A text in the form's second language, on a line of its own before the English one. */
function SecondText({ text }: { text: string | undefined }) {
  const second = useSecondLanguage();
  return second && text ? (
    <span lang={second.lang} className={styles.second}>
      {text}{' '}
    </span>
  ) : null;
}

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
