import type { FormDescription, FormField, FormSection } from '@/shared/api/generated/forms';

/** The fields of a part, as arranged on the page. */
export function fieldsOf(form: FormDescription, section: FormSection): FormField[] {
  return section.fields.flatMap((name) => form.fields.filter((field) => field.name === name));
}

/**
 * The fields that take the whole line: long texts, groups of choices, and fields that would otherwise be alone in their
 * line.
 */
export function wideFields(form: FormDescription): Set<string> {
  const wide = new Set<string>();
  for (const section of form.sections) {
    const fields = fieldsOf(form, section);
    let inLine = 0;
    fields.forEach((field, index) => {
      inLine = needsLine(field) ? 0 : inLine + 1;
      const next = fields[index + 1];
      const last = next === undefined || needsLine(next);
      if (needsLine(field) || (last && inLine % 2 === 1)) wide.add(field.name);
    });
  }
  return wide;
}

function needsLine({ kind }: FormField): boolean {
  return kind === 'lines' || kind === 'membership';
}
