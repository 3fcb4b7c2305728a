import {
  beside,
  type FormDescription,
  type FormField,
  texts,
  tooLong,
  tooManyWords,
} from '@/shared/api/generated/forms';
import { fits } from './fits';
import { countWords } from './words';

/** What was typed and chosen, by the field's name; a choice is its key. */
export type Values = Record<string, string>;

/** Something that has to be put right, at the field called `name`. */
export interface Problem {
  name: string;
  message: string;
}

/** What organisers decide about the forms. */
export interface Strictness {
  /** The box below the form must be ticked. */
  consent: boolean;
  /** More words than asked for are refused. */
  words: boolean;
}

/** What stands in the form now. */
export interface Entries {
  values: Values;
  /** The fields that have a file. */
  chosen: ReadonlySet<string>;
  /** The inputs whose text the browser itself could not read. */
  unreadable: ReadonlySet<string>;
}

/** How much of a wrong value is repeated to its author. */
const QUOTED = 60;

/**
 * What stands in the way of sending: first everything that is missing, then everything that does not fit, each in the
 * order of the form's fields.
 */
export function findProblems(
  form: FormDescription,
  { values, chosen, unreadable }: Entries,
  strict: Strictness,
): Problem[] {
  const missing: Problem[] = [];
  const wrong: Problem[] = [];
  for (const field of form.fields) {
    const { name } = field;
    const text = textOf(field, values);
    const there = field.kind === 'file' ? chosen.has(name) : text !== '' || unreadable.has(name);
    if (!there) {
      if (field.required) missing.push({ name, message: field.missing });
    } else if (field.kind !== 'file') {
      const message = wrongOf(field, text, strict);
      if (message) wrong.push({ name, message });
    }
  }
  if (strict.consent && !values[beside.consent]) missing.push({ name: beside.consent, message: texts.consent_missing });
  return [...missing, ...wrong];
}

/** What is sent for a field: trimmed, composed, and its default where it is empty. */
export function textOf(field: FormField, values: Values): string {
  return (values[field.name] ?? '').trim().normalize('NFC') || field.default;
}

function wrongOf(field: FormField, text: string, strict: Strictness): string | null {
  if (!fits(field, text)) return field.wrong.replace('{value}', () => quoted(text));
  const count = field.max_characters > 0 ? [...text].length : 0;
  if (count > field.max_characters) return `${field.label} ${tooLong(count, field.max_characters)}`;
  const words = strict.words && field.words > 0 ? countWords(text) : 0;
  return words > field.words ? tooManyWords(field.label, words, field.words) : null;
}

function quoted(text: string): string {
  const characters = [...text];
  return characters.length > QUOTED ? `${characters.slice(0, QUOTED).join('')}…` : text;
}
