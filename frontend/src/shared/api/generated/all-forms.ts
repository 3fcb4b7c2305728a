// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program
import { delegate } from './form-delegate.ts';
import { asian } from './form-asian.ts';
import { indian } from './form-indian.ts';
import { malayalam } from './form-malayalam.ts';
import { contact } from './form-contact.ts';
import type { FormDescription, FormKey } from './forms.ts';

/** Every form; a page imports its own alone. */
export const forms: Record<FormKey, FormDescription> = { delegate, asian, indian, malayalam, contact };
