import { missing as missingText, tooManyWords } from '@/shared/api/form-problems';
import { checkTexts } from '@/shared/api/generated/form-checks';
import { extraFields, type FormDescription, type FormField } from '@/shared/api/generated/forms';
import { cleanText, hasControl } from './clean-text';
import { NOT_DIGITS, type Problem, textOf, type Values } from './entries';
import { type Reading, readEmail, readLink, readTelephone, readWholeNumber, runs } from './readings';
import { countWords } from './words';

/** What organisers decide about the forms. */
export interface Strictness {
  /** Whether texts with more words than asked for are refused. */
  wordLimits: boolean;
  /** Whether consent is a box to tick; otherwise sending is agreeing. */
  consentBox: boolean;
}

/** The current content of the form. */
interface Entries {
  values: Values;
  /** The fields that have a file. */
  chosen: ReadonlySet<string>;
  /** The inputs whose text the browser could not parse. */
  unreadable: ReadonlySet<string>;
}

/** From this age on people consent for themselves. */
const OF_AGE = 18;

/** How much of an invalid value is quoted in its message. */
const QUOTED = 60;

/**
 * Problems that prevent sending, which are those that the server refuses: first missing fields, then invalid ones, each
 * in the order of the form, last the box of the consent if organisers ask for one. On the contact form only the e-mail
 * address is checked.
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
      if (field.required) missing.push({ name, message: missingText(name) });
    } else if (field.kind !== 'file' && (form.key !== 'contact' || field.kind === 'email')) {
      const message = text === '' ? NOT_DIGITS : errorOf(field, text, strict);
      if (message) wrong.push({ name, message });
    }
  }
  if (strict.consentBox && !values[extraFields.consent]) {
    wrong.push({ name: extraFields.consent, message: checkTexts.consent_missing });
  }
  return [...missing, ...wrong];
}

function errorOf(field: FormField, text: string, strict: Strictness): string | null {
  if (hasControl(text)) return 'This holds a character that cannot be kept. Please type it again.';
  if (new TextEncoder().encode(text).length > checkTexts.largest_text_bytes) {
    return `This must be shorter than ${checkTexts.largest_text_bytes / 1024} KB.`;
  }
  if (field.kind === 'email' && !readEmail(text)) return checkTexts.not_an_email;
  if (field.kind === 'link' && runs(text)) return checkTexts.link_runs;
  const count = strict.wordLimits && field.words > 0 ? countWords(text) : 0;
  return count > field.words ? tooManyWords(field.label, count, field.words) : null;
}

const lookedFor: Partial<Record<FormField['kind'], string>> = {
  phone: 'a telephone number',
  integer: 'a whole number',
  year: 'a year',
  link: 'a web address',
};

/** The note at a field whose text is sent as it is and that the organisers will review; empty if there is none. */
export function noteOn(field: FormField, typed: string, contact: string | null): string {
  const text = cleanText(typed, field.kind === 'lines');
  if (text === '') return '';
  const { read, isOdd } = readingOf(field, text);
  if (field.name === 'age' && read !== '' && Number(read) > 0 && Number(read) < OF_AGE) {
    return checkTexts.guardian.replace('{contact}', () => contact || 'the festival office');
  }
  const isLong = field.max_characters > 0 && [...text].length > field.max_characters;
  if (!isOdd) return isLong ? checkTexts.unusual : '';
  if (read === '') return checkTexts.not_read.replace('{what}', lookedFor[field.kind] ?? 'anything');
  return read === text ? checkTexts.unusual : checkTexts.read_as.replace('{read}', () => quoted(read));
}

function readingOf(field: FormField, text: string): Reading {
  const [min, max] = [field.min ?? 0, field.max ?? Number.MAX_SAFE_INTEGER];
  switch (field.kind) {
    case 'phone':
      return readTelephone(text);
    case 'link':
      return readLink(text);
    case 'email':
      // Text that cannot be sent is a problem, not a note.
      return readEmail(text) ?? { read: text, isOdd: false };
    case 'integer':
      return readWholeNumber(text, field.name === 'duration_minutes' ? 'minutes' : 'other', min, max);
    case 'year':
      return readWholeNumber(text, 'year', min, new Date().getFullYear() + 1);
    default:
      return { read: text, isOdd: false };
  }
}

function quoted(text: string): string {
  const characters = [...text];
  return characters.length > QUOTED ? `${characters.slice(0, QUOTED).join('')}…` : text;
}
