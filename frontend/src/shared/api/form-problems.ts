import { checkTexts } from './generated/form-checks.ts';

/** Error if the field `name` is required and empty. */
export function missing(name: string): string {
  return checkTexts.missing.replace('{field}', name.replaceAll('_', ' '));
}

/** Error for a file of the field `name` above the size limit. */
export function tooLarge(name: string): string {
  return checkTexts.too_large.replace('{field}', name);
}

/** Error for a text with too many words, if the limits are hard. */
export function tooManyWords(label: string, count: number, limit: number): string {
  const text = checkTexts.too_many_words.replace('{label}', label);
  return text.replace('{count}', String(count)).replace('{limit}', String(limit));
}
