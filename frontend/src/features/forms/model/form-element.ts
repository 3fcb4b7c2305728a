import { extraFields, type FormDescription } from '@/shared/api/generated/forms';
import type { Values } from './entries';

/** The id of a field's input, or of the first of its radio buttons. */
export function inputId(name: string): string {
  return `field-${name}`;
}

/** Everything that stands in the form's inputs, by name. */
export function readValues(element: HTMLFormElement, form: FormDescription): Values {
  const data = new FormData(element);
  const names = form.fields.filter(({ kind }) => kind !== 'file').map(({ name }) => name);
  return Object.fromEntries([...names, extraFields.consent].map((name) => [name, textIn(data, name)]));
}

/** What stands in the field that people do not see. */
export function readTrap(element: HTMLFormElement): string {
  return textIn(new FormData(element), extraFields.trap);
}

function textIn(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

/** The inputs that hold something which the browser cannot read, such as letters in a number. */
export function unreadable(element: HTMLFormElement): Set<string> {
  const inputs = [...element.elements].filter((input) => input instanceof HTMLInputElement);
  return new Set(inputs.filter((input) => input.validity.badInput).map(({ name }) => name));
}

/**
 * Puts what was kept back into the inputs, except where something was typed meanwhile. Says whether something was: the
 * device does not have that yet.
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
