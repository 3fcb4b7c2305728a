/** Helpers to create elements and modal dialogs. */

/** Creates an element with attributes and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (globalThis.Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Shows `content` in a modal dialog and returns the value of the pressed button; "" if the dialog was closed. The dialog
 * is not part of the page's form.
 */
export function ask(title: string, content: globalThis.Node[], buttons: [string, string][]): Promise<string> {
  const heading = make('h2', { id: 'dialog-title' }, title);
  const row = make('p', { class: 'row' });
  for (const [value, label] of buttons) {
    row.append(make('button', { class: value === buttons[0]?.[0] ? 'button' : 'button quiet', value }, label));
  }
  row.append(make('button', { class: 'button quiet', value: '', formnovalidate: '' }, 'Cancel'));
  const form = make('form', { method: 'dialog', class: 'form' }, heading, ...content, row);
  const dialog = make('dialog', { class: 'window', 'aria-labelledby': 'dialog-title' }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}
