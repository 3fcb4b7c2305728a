import type { FormField } from '@/shared/api/generated/forms';
import { cleanText } from './clean-text';

/** Texts and choices by field name; a choice is its key. */
export type Values = Record<string, string>;

/** A problem to correct, at the field called `name`. */
export interface Problem {
  name: string;
  message: string;
}

/** Message for letters in a number input: browsers do not expose them, so they cannot be sent. */
export const NOT_DIGITS = 'Please write this number in digits.';

/** The value sent for a field: cleaned, and its default if empty. */
export function textOf(field: FormField, values: Values): string {
  return cleanText(values[field.name] ?? '', field.kind === 'lines') || field.default;
}
