import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { extraFields, type FormDescription, type FormField } from '../../../frontend/src/shared/api/generated/forms.ts';
import { root } from './program.ts';

/** Photographs and documents of real devices, if available next to the checkout; otherwise fixtures. */
const real = join(root, '../shared/real-data');
const own = join(root, 'tests/fixtures/pictures');
const picked: [string, string][] = [
  ['images/jpeg_progressive_cat.jpg', 'still.jpg'],
  ['images/jpeg_phone_photo_iphone.jpg', 'still.jpg'],
  ['images/webp_lossy.webp', 'cover.webp'],
  ['images/png_rgba_alpha.png', 'poster.png'],
];
const documents: [string, string][] = [
  ['pdfs/medium_tracemonkey_1mb.pdf', 'issue.pdf'],
  ['pdfs/small_empty_page.pdf', 'issue.pdf'],
];

function found([file, instead]: [string, string]): string {
  const path = join(real, file);
  return existsSync(path) ? path : join(own, instead);
}

/** A file for a field; different fields get different files. */
export function fileFor(field: FormField): string {
  const list = field.accept.includes('application/pdf') ? documents : picked;
  const turn = [...field.name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % list.length;
  return found(list[turn] as [string, string]);
}

/** A JPEG padded to a size: data after its end are ignored. */
export async function pictureOfSize(bytes: number): Promise<Buffer> {
  const picture = await readFile(join(own, 'still.jpg'));
  return Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]);
}

/** A valid text for a field. */
export function textFor(field: FormField): string {
  const samples: Partial<Record<FormField['kind'], string>> = {
    email: `${field.name.replaceAll('_', '.')}@example.org`,
    phone: '+91 484 000 0000',
    link: `https://example.org/${field.name}?a=1&b=2`,
    integer: '88',
    year: '2024',
    lines: `${field.label}: കടൽ "quoted" <b> & more`,
  };
  return samples[field.kind] ?? `${field.label} വെളിച്ചം`;
}

/** The input of a field; the first of radio buttons. */
export function inputOf(page: Page, name: string) {
  return page.locator(`#field-${name}`);
}

/** Toasts with error messages. */
export function errorToasts(page: Page) {
  return page.locator('body > div > [role="alert"] > p');
}

/** Fills in a field. */
export async function fill(page: Page, field: FormField, file?: string): Promise<void> {
  const input = inputOf(page, field.name);
  if (field.kind === 'file') {
    await input.setInputFiles(file ?? fileFor(field));
    await expect(page.getByRole('button', { name: `Remove ${field.label}` })).toBeVisible();
  } else if (field.kind === 'membership' || (field.kind === 'choice' && field.choices.length <= 2)) {
    await input.check();
  } else if (field.kind === 'choice') {
    await input.selectOption(field.choices[0]?.key ?? '');
  } else {
    await input.fill(textFor(field));
  }
}

/** Fills in all required fields. */
export async function fillAll(page: Page, form: FormDescription): Promise<void> {
  for (const field of form.fields) if (field.required && !field.default) await fill(page, field);
}

/** Runs in the page: the value of every field, text, choice, or 'a file'; "" if empty. */
export function contentsInPage(fields: Pick<FormField, 'name' | 'kind' | 'label'>[]): Record<string, string> {
  const element = document.querySelector('form');
  if (!element) throw new Error('there is no form');
  const buttons = [...element.querySelectorAll('button')].map(({ textContent }) => textContent);
  const valueOf = ({ name, kind, label }: (typeof fields)[number]) => {
    if (kind === 'file') return buttons.includes(`Remove ${label}`) ? 'a file' : '';
    const inputs = [...element.querySelectorAll<HTMLInputElement>(`[name="${name}"]`)];
    if (inputs.length === 0) throw new Error(`there is no ${name}`);
    return (inputs[0]?.type === 'radio' ? inputs.find(({ checked }) => checked) : inputs[0])?.value ?? '';
  };
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]));
}

/** The value of every field: text, choice, or 'a file'; "" if empty. */
export function contentsOf(page: Page, form: FormDescription): Promise<Record<string, string>> {
  return page.evaluate(contentsInPage, form.fields);
}

/** The initial value of every field. */
export function initialContents(form: FormDescription): Record<string, string> {
  // The default of an empty password is set when the form is sent.
  const shown = ({ name, default: given }: FormField) => (name === 'screener_link_password' ? '' : given);
  return Object.fromEntries(form.fields.map((field) => [field.name, shown(field)]));
}

/** Waits until the form is hydrated and its draft restored. */
export async function ready(page: Page): Promise<void> {
  await expect(submitButton(page)).toBeEnabled();
}

/** The fields of which a draft keeps something. */
export function draftFields({ fields }: FormDescription): Pick<FormField, 'name' | 'kind'>[] {
  return [...fields.map(({ name, kind }) => ({ name, kind })), { name: extraFields.utr, kind: 'text' }];
}

/** Runs in the page: the fields whose state the draft on the device does not hold: text, file, or that it is uploaded. */
export async function missingFromDraft(key: string, fields: Pick<FormField, 'name' | 'kind'>[]): Promise<string[]> {
  const answer = <T>(request: IDBRequest<T>) =>
    new Promise<T>((done, fail) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => fail(request.error);
    });
  const database = await answer(indexedDB.open('festival-forms'));
  const transaction = database.transaction(['drafts', 'files']);
  const [draft, stored] = await Promise.all([
    answer<{ values: Record<string, string>; tickets: object } | undefined>(transaction.objectStore('drafts').get(key)),
    answer(transaction.objectStore('files').getAllKeys()),
  ]);
  database.close();
  const entries = new FormData(document.querySelector('form') ?? undefined);
  const isMissing = ({ name, kind }: (typeof fields)[number]) => {
    if (kind !== 'file') return (draft?.values[name] ?? '') !== (entries.get(name) ?? '');
    const tile = document.querySelector(`[data-chosen="true"]:has(#field-${name})`);
    if (!tile) return false;
    const uploaded = tile.querySelector('[data-done="true"]') !== null;
    const isStored = stored.some((id) => String(id) === `${key},${name}`);
    return !isStored || (uploaded && !(name in (draft?.tickets ?? {})));
  };
  return fields.filter(isMissing).map(({ name }) => name);
}

/** Waits until the draft on the device holds all of the form: texts, files, and the state of their uploads. */
export async function waitForDraft(page: Page, form: FormDescription): Promise<void> {
  // Playwright passes one argument.
  const missing = `(${missingFromDraft})(${JSON.stringify(form.key)}, ${JSON.stringify(draftFields(form))})`;
  await expect.poll(() => page.evaluate(missing), 'not on the device').toEqual([]);
}

/** The form's submit button. */
export function submitButton(page: Page) {
  return page.locator('form button[type="submit"]');
}

/** Fills in a form by keyboard from the top of the page to the submit button; returns the fields in focus order. */
export async function fillByKeyboard(page: Page, form: FormDescription): Promise<string[]> {
  const visited: string[] = [];
  // Intercept file choosers from the start; a listener added at the key press might be too late.
  page.on('filechooser', () => {});
  for (let presses = 0; presses < 250; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return { id: element?.id ?? '', type: element?.type ?? '', tag: element?.tagName ?? '' };
    });
    if (focused.tag === 'BUTTON' && focused.type === 'submit') return visited;
    const field = form.fields.find(({ name }) => focused.id === `field-${name}`);
    if (!field || visited.includes(field.name)) continue;
    visited.push(field.name);
    if (field.kind === 'file') {
      const chooser = page.waitForEvent('filechooser');
      await page.keyboard.press('Enter');
      await (await chooser).setFiles(fileFor(field));
      await expect(page.getByRole('button', { name: `Remove ${field.label}` })).toBeVisible();
    } else if (focused.type === 'radio') {
      await page.keyboard.press('Space');
    } else if (field.kind === 'choice') {
      // The last option.
      await page.keyboard.press('End');
    } else if (field.default === '') {
      await page.keyboard.insertText(textFor(field));
    }
  }
  throw new Error(`no way to the button; seen: ${visited.join(' ')}`);
}

/** Submits the form and waits for the success page. */
export async function sendToSuccess(page: Page): Promise<void> {
  await submitButton(page).click();
  await expect(page.locator('body > div > [role="status"] > p')).toHaveText('Form submitted successfully!');
  await page.waitForURL('**/success');
}
