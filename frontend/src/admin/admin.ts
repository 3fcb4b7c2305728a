/** Progressive enhancement of the back office; every page works without it. */
import './admin.css';
import './controls.css';
import './rows.css';
import './list-view.css';
import './print.css';
import './import.css';
import './dashboard.css';
import './detail.css';
import './settings.css';
import './writing.css';
import './handbook.css';
import { features } from './features';
import { guard } from './leaving';
import { makeRowsDraggable, makeSortable } from './order';
import { selectRanges } from './ranges';
import { uploadOnChange } from './upload';

// Moves the focus to the list of errors.
document.querySelector<HTMLElement>('#problems')?.focus();

// Selects a link that is to be copied when it gets the focus.
for (const input of document.querySelectorAll<HTMLInputElement>('input[data-select]')) {
  input.addEventListener('focus', () => input.select());
}

// Copies the value of an input, or the text of a list. Browsers without a clipboard for this page keep the button hidden.
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy ?? '');
  if (!source || !('clipboard' in navigator)) continue;
  button.hidden = false;
  button.addEventListener('click', () => {
    const text =
      source instanceof HTMLInputElement
        ? source.value
        : [...source.children].map((line) => line.textContent).join('\n');
    void navigator.clipboard.writeText(text).then(() => (button.textContent = 'Copied'));
  });
}

document.querySelectorAll<HTMLTableElement>('table.rows').forEach(selectRanges);

// Prints the page. Without scripts the browser's own menu does.
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

// Prevents double submits. When the user comes back to the page, its buttons work again.
document.addEventListener('submit', (event) => {
  if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return;
  const button = event.submitter;
  // A preview opens in a new tab while the form stays usable.
  if (button instanceof HTMLButtonElement && button.formTarget === '_blank') return;
  // Afterwards, because the value of a disabled button is not submitted.
  if (button instanceof HTMLButtonElement && event.target.method === 'post') setTimeout(() => (button.disabled = true));
});
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const button of document.querySelectorAll('button')) button.disabled = false;
});

// Remembers on this device which groups of the menu are open.
const OPENED = 'festival-open-groups';
let opened: string[] = [];
try {
  opened = JSON.parse(localStorage.getItem(OPENED) ?? '[]') as string[];
} catch {
  // Without storage, only the group of the current page is open.
}
for (const group of document.querySelectorAll<HTMLDetailsElement>('.group[data-group]')) {
  const name = group.dataset.group ?? '';
  if (opened.includes(name)) group.open = true;
  group.querySelector('summary')?.addEventListener('click', () => {
    // The group is toggled after this event.
    opened = opened.filter((other) => other !== name).concat(group.open ? [] : [name]);
    try {
      localStorage.setItem(OPENED, JSON.stringify(opened));
    } catch {
      // Without storage, as above.
    }
  });
}

// Closes the menu with Escape and returns the focus to its button.
const menu = document.querySelector<HTMLDetailsElement>('.menu');
menu?.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !menu.open) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});

// "/" searches, Ctrl+S saves, Ctrl+Enter saves and goes to the next one, Alt+N and Alt+P go to the next and the previous one.
document.addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.matches('input, textarea, select, [contenteditable="true"]');
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.altKey && !event.metaKey) {
    const search = [...document.querySelectorAll<HTMLElement>('.find input')].find((input) => input.checkVisibility());
    if (!search) return;
    event.preventDefault();
    search.focus();
  }
  if (event.altKey && !event.ctrlKey && !event.metaKey && (event.code === 'KeyN' || event.code === 'KeyP')) {
    const link = document.querySelector<HTMLAnchorElement>(`a[rel="${event.code === 'KeyN' ? 'next' : 'prev'}"]`);
    if (!link) return;
    event.preventDefault();
    link.click();
  }
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey) {
    const button = document.querySelector<HTMLButtonElement>('form[data-guarded] button[name="then"][value="next"]');
    if (!button?.form) return;
    event.preventDefault();
    button.form.requestSubmit(button);
  }
  if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey) {
    const form = document.querySelector<HTMLFormElement>('form[data-guarded]');
    const button =
      form?.querySelector<HTMLButtonElement>('button[value="stay"]') ?? form?.querySelector('button:not([type])');
    if (!form || !button) return;
    event.preventDefault();
    form.requestSubmit(button);
  }
});

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-guarded]')) guard(form);
for (const list of document.querySelectorAll<HTMLElement>('[data-order]')) makeSortable(list);
for (const setting of document.querySelectorAll<HTMLElement>('fieldset.lines')) makeRowsDraggable(setting);
const files = 'form[data-guarded] input[type="file"]';
for (const input of document.querySelectorAll<HTMLInputElement>(files)) uploadOnChange(input);

// The editor is large: it is loaded only on pages with a formatted text.
const texts = document.querySelectorAll<HTMLTextAreaElement>('textarea[data-rich]');
if (texts.length > 0) {
  void import('./rich/rich-text').then(({ richText }) => {
    for (const area of texts) richText(area);
  });
}

for (const { enhance } of features) enhance?.();
