import type { FormField } from '@/shared/api/generated/forms';
import { cleanText } from './clean-text';

/** What was typed and chosen, by the field's name; a choice is its key. */
export type Values = Record<string, string>;

/** Something that has to be put right, at the field called `name`. */
export interface Problem {
  name: string;
  message: string;
}

/** What is said of letters in an input that holds a number: browsers do not hand them out, so they cannot be sent. */
export const NOT_DIGITS = 'Please write this number in digits.';

/** What is sent for a field: cleaned, and its default where it is empty. */
export function textOf(field: FormField, values: Values): string {
  return cleanText(values[field.name] ?? '', field.kind === 'lines') || field.default;
}
