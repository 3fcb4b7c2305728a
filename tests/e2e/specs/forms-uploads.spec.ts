import { readFile } from 'node:fs/promises';
import type { Request } from '@playwright/test';
import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { texts } from '../../../frontend/src/shared/api/generated/forms.ts';
import { fill, fillAll, fileFor, inputOf, ready, sendToSuccess, submitButton, textFor, waitForDraft } from '../support/forms.ts';
import { type FormsServer, startFormsServer } from '../support/forms-server.ts';
import { expect, holdRequests, type Page, test } from '../support/test.ts';

const form = forms.delegate;
const filed = form.fields.filter(({ kind, required }) => kind === 'file' && required);
const uploadPath = `/api${form.files_path}`;
const formPath = `/api${form.api_path}`;

let server: FormsServer;
test.beforeAll(async () => {
  server = await startFormsServer({ FESTIVAL_CONTACT__EMAIL: 'office@example.org' });
});
test.afterAll(() => server.stop());

test.beforeEach(({ page }) => {
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => void dialog.accept());
});

/** Collects the POST requests to a path. */
function posts(page: Page, path: string): Request[] {
  const seen: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === path) seen.push(request);
  });
  return seen;
}

/** The tile of a file field. */
function tile(page: Page, name: string) {
  return page.locator('[data-chosen]', { has: inputOf(page, name) });
}

test('each file is uploaded when it is chosen, and the form itself carries none', async ({ page }) => {
  const uploads = posts(page, uploadPath);
  const sent = posts(page, formPath);
  await page.goto(server.url + form.path);
  await ready(page);
  await fillAll(page, form);
  for (const { name } of filed) await expect(tile(page, name)).toContainText('Uploaded and checked.');
  expect(uploads.length).toBe(filed.length);

  await waitForDraft(page, form);
  await page.reload();
  await ready(page);
  for (const { name } of filed) await expect(tile(page, name)).toContainText('Uploaded and checked.');
  await sendToSuccess(page);
  expect(uploads.length, 'a reload sends none again').toBe(filed.length);
  const [request] = sent;
  expect(Number(await request?.headerValue('content-length'))).toBeLessThan(8_000);
  const tickets = (await request?.headerValue('staged-files')) ?? '';
  expect(tickets.split(', ').map((pair) => pair.split('=')[0]).sort()).toEqual(filed.map(({ name }) => name).sort());
  const submissions = await server.submissions('delegate');
  expect(submissions.at(-1)?.name).toBe(textFor(form.fields[0] as (typeof form.fields)[number]));
});

test('input is kept while the sending code loads, and stored files are uploaded afterwards', async ({ page, watch }) => {
  watch.expect(/ERR_FAILED|^failed:.*(form-tools|files)|dynamically imported module|Unable to preload/);
  const [file] = filed as [(typeof filed)[number]];
  await page.route(`**${uploadPath}`, (route) => route.abort());
  await page.goto(server.url + form.path);
  await ready(page);
  await fill(page, file);
  await expect(tile(page, file.name)).toContainText('Kept on this device.');

  await page.route('**/assets/form-tools*.js*', (route) => route.abort());
  await page.reload();
  await expect(tile(page, file.name)).toContainText('It waits to be uploaded.');
  await inputOf(page, 'name').fill('Meera');
  await inputOf(page, 'name').blur();
  await expect(page.getByRole('main')).toContainText('Your entries are kept on this device.');
  await expect(submitButton(page)).toBeDisabled();
  await expect(inputOf(page, file.name)).toBeDisabled();
  await waitForDraft(page, form);
  await page.reload();
  await expect(inputOf(page, 'name')).toHaveValue('Meera');

  await page.unroute('**/assets/form-tools*.js*');
  await page.unroute(`**${uploadPath}`);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await ready(page);
  await expect(tile(page, file.name)).toContainText('Uploaded and checked.');
  await expect(inputOf(page, 'name')).toHaveValue('Meera');
});

test('after a rejected file only that file is uploaded again', async ({ page, watch }) => {
  watch.expect(/status (of )?422/);
  const uploads = posts(page, uploadPath);
  await page.goto(server.url + form.path);
  await ready(page);
  await fillAll(page, form);
  for (const { name } of filed) await expect(tile(page, name)).toContainText('Uploaded and checked.');
  const before = uploads.length;

  // It has the signature of a PNG, so that only the server detects that it is broken.
  const head = (await readFile(fileFor(filed[0] as (typeof filed)[number]))).subarray(0, 4);
  const broken = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), head, Buffer.alloc(2_000, 7)]);
  await inputOf(page, 'signature').setInputFiles({ name: 'torn.png', mimeType: 'image/png', buffer: broken });
  await expect(page.locator('#field-signature-problem')).toContainText('torn.png');
  await expect(page.getByRole('button', { name: 'Remove Screenshot of the payment' })).toBeVisible();
  await fill(page, filed.find(({ name }) => name === 'signature') as (typeof filed)[number]);
  await expect(tile(page, 'signature')).toContainText('Uploaded and checked.');
  await sendToSuccess(page);
  expect(uploads.length - before, 'the refused one and its replacement').toBe(2);
});

for (const [what, answer] of [
  ['takes no single files', { status: 404, json: { error: 'There is no such address.' } }],
  ['has no room for single files', { status: 503, json: { error: 'Files can only be sent with their form at the moment.' } }],
  ['stands behind a proxy that stops them', { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }],
] as const) {
  test(`a server that ${what} gets the files with the form`, async ({ page, watch }) => {
    watch.expect(/status (of )?(404|502|503)/);
    await page.route(`**${uploadPath}`, (route) => route.fulfill(answer));
    const sent = posts(page, formPath);
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    for (const { name } of filed) await expect(tile(page, name)).toContainText('It is sent with the form.');
    await inputOf(page, 'transaction_details').fill(what);
    const before = (await server.submissions('delegate')).length;
    await sendToSuccess(page);
    expect((await server.submissions('delegate')).length).toBe(before + 1);
    expect(await sent[0]?.headerValue('staged-files')).toBeNull();
  });
}

test('expired staged files are sent again with the form', async ({ page, watch }) => {
  watch.expect(/status (of )?422/);
  await page.route(`**${uploadPath}`, (route) => {
    const field = /name="(\w+)"/.exec(route.request().postData() ?? '')?.[1] ?? '';
    return route.fulfill({ status: 201, json: { ticket: 'f'.repeat(64), field, expires_at: '' } });
  });
  const sent = posts(page, formPath);
  await page.goto(server.url + form.path);
  await ready(page);
  await fillAll(page, form);
  for (const { name } of filed) await expect(tile(page, name)).toContainText('Uploaded and checked.');
  await sendToSuccess(page);
  expect(sent.length).toBe(2);
});

test('a form waits for its uploads before it is sent', async ({ page }) => {
  const go = await holdRequests(page, `**${uploadPath}`);
  await page.goto(server.url + form.path);
  await ready(page);
  await fillAll(page, form);
  await submitButton(page).click();
  await expect(submitButton(page)).toHaveText(texts.submitting);
  go();
  await page.waitForURL('**/success');
});
