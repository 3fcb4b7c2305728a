import { extraFields, type FormDescription, type FormField } from '@/shared/api/generated/forms';
import type { Values } from './entries';

/** The id of a field's input, or of the first of its radio buttons. */
export function inputId(name: string): string {
  return `field-${name}`;
}

/** The values of the form's inputs, by name. */
export function readValues(element: HTMLFormElement, form: FormDescription): Values {
  const data = new FormData(element);
  const names = form.fields.filter(({ kind }) => kind !== 'file').map(({ name }) => name);
  // Inputs that are rendered with the tools are not there before them.
  const late = [extraFields.utr, extraFields.fee_code].filter((name) => data.has(name));
  return Object.fromEntries([...names, extraFields.consent, ...late].map((name) => [name, textIn(data, name)]));
}

/** The text in the input with this name; empty if there is none. */
export function textIn(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

/**
 * Restores stored values into the inputs, except those that were filled in the meantime. Returns whether any were: they
 * are not stored yet.
 */
export function restoreValues(element: HTMLFormElement, values: Values): boolean {
  let typed = false;
  for (const input of element.elements) {
    if (input instanceof HTMLInputElement && ['radio', 'checkbox'].includes(input.type)) {
      const group = element.elements.namedItem(input.name);
      const touched = group instanceof RadioNodeList && group.value !== '' && group.value !== values[input.name];
      if (values[input.name] === input.value && !touched) input.checked = true;
      typed ||= input.checked !== input.defaultChecked && values[input.name] !== input.value;
    } else if (input instanceof HTMLSelectElement) {
      if (input.value === '') input.value = values[input.name] ?? '';
      typed ||= input.value !== '' && input.value !== values[input.name];
    } else if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) {
      const saved = values[input.name];
      if (input.type === 'file') continue;
      if (saved !== undefined && input.value === input.defaultValue) input.value = saved;
      typed ||= input.value !== input.defaultValue && input.value !== saved;
    }
  }
  return typed;
}

/** Whether a field is a text input. */
export function isTextInput(field: FormField): boolean {
  return !['file', 'choice', 'membership'].includes(field.kind);
}

/** Whether a field is a group of radio buttons: two choices can be shown at once, more of them are a list. */
export function isGroup(field: FormField): boolean {
  return field.kind === 'membership' || (field.kind === 'choice' && field.choices.length <= 2);
}
