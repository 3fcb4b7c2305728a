/** What makes the back office a little quicker; every page works without it. */
import './admin.css';
import './controls.css';
import './rows.css';
import './import.css';
import './dashboard.css';
import './desk.css';
import './settings.css';
import './writing.css';
import { guard } from './leaving';
import { movable } from './order';
import { sendAtOnce } from './upload';

/** What went wrong is where the keyboard goes on. */
document.querySelector<HTMLElement>('#problems')?.focus();

/** A link to be handed on is selected when it is touched. */
for (const input of document.querySelectorAll<HTMLInputElement>('input[data-select]')) {
  input.addEventListener('focus', () => input.select());
}

/** Nothing is sent twice by two clicks. Coming back to a page, its buttons work again. */
document.addEventListener('submit', (event) => {
  if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return;
  const button = event.submitter;
  // A preview opens beside the form, which goes on.
  if (button instanceof HTMLButtonElement && button.formTarget === '_blank') return;
  // Afterwards: a disabled button is not part of what is sent.
  if (button instanceof HTMLButtonElement && event.target.method === 'post') setTimeout(() => (button.disabled = true));
});
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const button of document.querySelectorAll('button')) button.disabled = false;
});

/** The menu closes with Escape, and the focus stays where it was opened. */
const menu = document.querySelector<HTMLDetailsElement>('.menu');
menu?.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !menu.open) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-guarded]')) guard(form);
for (const list of document.querySelectorAll<HTMLElement>('[data-order]')) movable(list);
const files = 'form[data-guarded] input[type="file"]';
for (const input of document.querySelectorAll<HTMLInputElement>(files)) sendAtOnce(input);

/** The editor is heavy: only a page with a formatted text loads it. */
const texts = document.querySelectorAll<HTMLTextAreaElement>('textarea[data-rich]');
if (texts.length > 0) {
  void import('./rich/rich-text').then(({ richText }) => {
    for (const area of texts) richText(area);
  });
}
