import type { FormDescription, FormField } from '@/shared/api/generated/forms';
import type { Problem, textOf, Values } from './entries';

/** How far one part of a form is. */
interface Part {
  title: string;
  /** Of the fields that must be filled: how many are, and how many there are. */
  filled: number;
  required: number;
  /** Something in it has to be put right. */
  wrong: boolean;
}

/** What stands in for `textOf` until it is loaded. */
function uncleaned({ name, default: otherwise }: FormField, values: Values): string {
  return (values[name] ?? '').trim() || otherwise;
}

/** How far each part of a form is; `read` is what is sent for a field. */
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
