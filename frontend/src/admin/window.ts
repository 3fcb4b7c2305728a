/** Small windows that ask for something. */

/** An element with attributes and children. */
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
 * Shows `content` in a window until a button with a value is pressed, and answers the value; "" where it was closed.
 * The window is no part of the page's form.
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
  return new Promise((answer) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      answer(dialog.returnValue);
    });
  });
}
