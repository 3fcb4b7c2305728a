import type { FormDescription, FormField } from '@/shared/api/generated/forms';
import type { Problem, textOf, Values } from './entries';

/** Progress of one part of a form. */
interface Part {
  title: string;
  /** Required fields: how many are filled, and how many there are. */
  filled: number;
  required: number;
  /** Whether something in it has to be corrected. */
  wrong: boolean;
}

/** Replacement for `textOf` until it is loaded. */
function uncleaned({ name, default: otherwise }: FormField, values: Values): string {
  return (values[name] ?? '').trim() || otherwise;
}

/** Progress of each part of a form; `read` returns the value sent for a field. */
export function partsOf(
  form: FormDescription,
  values: Values,
  files: Record<string, unknown>,
  problems: Problem[],
  read: typeof textOf = uncleaned,
): Part[] {
  return form.sections.map(({ title, fields }) => {
    const required = form.fields.filter((field) => field.required && fields.includes(field.name));
    const filled = required.filter((field) => (field.kind === 'file' ? files[field.name] : read(field, values)));
    const wrong = problems.some((problem) => fields.includes(problem.name));
    return { title, filled: filled.length, required: required.length, wrong };
  });
}
