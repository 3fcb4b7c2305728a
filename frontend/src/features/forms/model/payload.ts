import { extraFields, type FormDescription, type FormField } from '@/shared/api/generated/forms';
import { textOf, type Values } from './entries';

/** Data sent in addition to the form's own fields. */
interface Beside {
  /** Content of the hidden trap field. */
  trap: string;
  /** Whole seconds since the form appeared. */
  elapsed: number;
  /** The version of the notice that sending agrees to; empty if none was displayed. */
  notice: string;
  /** The payment code. */
  code: string;
}

/** Whether films are submitted with this form; its key is then the award. */
function isFilmForm(form: FormDescription): boolean {
  return form.fee === 'film' || form.fee === 'film_or_dollars';
}

/** The text fields to send: names and values in the order of the form. */
export function textPairs(
  form: FormDescription,
  values: Values,
  { trap, elapsed, notice, code }: Beside,
): [string, string][] {
  const pairs: [string, string][] = [];
  for (const field of form.fields) {
    if (field.kind === 'file') continue;
    const text = textOf(field, values);
    const choice = field.choices.find(({ key }) => key === text);
    pairs.push([field.name, choice?.value ?? text]);
    if (choice && sharesValues(field)) pairs.push([extraFields.declared_feature, choice.label]);
  }
  if (isFilmForm(form)) pairs.push([extraFields.award, form.key]);
  if (form.fee !== 'none') pairs.push([extraFields.code, code]);
  for (const name of [extraFields.utr, extraFields.fee_code]) {
    const text = values[name]?.trim();
    if (text) pairs.push([name, text]);
  }
  if (notice) pairs.push([extraFields.consent, 'yes'], [extraFields.notice, notice]);
  pairs.push([extraFields.trap, trap], [extraFields.elapsed, String(elapsed)]);
  return pairs;
}

/** Two choices that send the same value are distinguished by their labels. */
function sharesValues(field: FormField): boolean {
  return new Set(field.choices.map(({ value }) => value)).size < field.choices.length;
}

/** The body of the request: JSON if the form has no files, otherwise multipart with the files last. */
export function bodyOf(
  form: FormDescription,
  pairs: [string, string][],
  files: Record<string, File>,
): FormData | string {
  if (!form.fields.some(({ kind }) => kind === 'file')) return JSON.stringify(Object.fromEntries(pairs));
  const data = new FormData();
  for (const [name, text] of pairs) data.append(name, text);
  for (const { name } of form.fields) {
    const file = files[name];
    if (file) data.append(name, file, file.name);
  }
  return data;
}
