import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import config from '../playwright.config.ts';
import { contentsOf, errorToasts, fillAll, fill, inputOf, pictureOfSize, ready, sendToSuccess, submitButton, textFor, waitForDraft } from '../support/forms.ts';
import { expectTrapped } from '../support/keyboard.ts';
import { CuttableProxy, type FormsServer, startFormsServer } from '../support/forms-server.ts';
import { temporaryFolder } from '../support/program.ts';
import { expect, holdRequests, test } from '../support/test.ts';
import { FORM_FAILURE } from '../support/watch.ts';

const form = forms.asian;
const required = form.fields.filter((field) => field.required && !field.default);
const texted = required.filter(({ kind }) => ['text', 'lines', 'email', 'phone', 'link'].includes(kind));
const filed = required.filter(({ kind }) => kind === 'file');

let server: FormsServer;
test.beforeAll(async () => {
  server = await startFormsServer();
});
test.afterAll(() => server.stop());

/** Expects all entries and files in the form. */
async function expectEverything(page: Page) {
  await expect(page.getByText('Your entries are kept on this device.')).toBeVisible();
  for (const field of texted) await expect(inputOf(page, field.name)).toHaveValue(textFor(field));
  for (const field of filed) await expect(page.getByRole('button', { name: `Remove ${field.label}` })).toBeVisible();
}

/** Accepts the browser's question before it leaves a page. */
function agreeToLeave(page: Page) {
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => void dialog.accept());
}

/** A browser with a persistent profile. */
async function browserOn(profile: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await chromium.launchPersistentContext(profile, config.use?.launchOptions);
  const page = context.pages()[0] ?? (await context.newPage());
  agreeToLeave(page);
  return { context, page };
}

/** The id of the browser's main process; its child processes end with it. */
async function processOf(profile: string): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(profile) && !command.includes('--type=')) return Number(pid);
  }
  throw new Error(`no browser has the profile ${profile}`);
}

test('after server and browser are killed during an upload and restarted, everything is there and arrives once', async () => {
  const before = (await server.submissions('film')).length;
  const profile = await temporaryFolder();
  let { context, page } = await browserOn(profile);
  await page.goto(`${server.url}/form-asian`);
  await ready(page);
  await fillAll(page, form);
  // A large file over a slow connection, so that the upload can be interrupted.
  const long = { name: 'poster.jpg', mimeType: 'image/jpeg', buffer: await pictureOfSize(3 << 20) };
  await inputOf(page, 'film_poster').setInputFiles(long);
  const line = await context.newCDPSession(page);
  const speed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
  await line.send('Network.emulateNetworkConditions', speed);
  await submitButton(page).click();
  await expect(submitButton(page)).toHaveText('Submitting...');
  await expect(page.locator('progress + p')).toHaveText(/^\d.* of .*, .* left$/);
  await server.kill();
  await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
  await expect(page.getByText('Sending again is safe')).toBeVisible();
  await expect(submitButton(page)).toHaveText('Submit Form');
  await expectEverything(page);
  await waitForDraft(page, form);

  // The whole browser is killed.
  process.kill(await processOf(profile), 'SIGKILL');
  await context.close().catch(() => {});
  await rm(join(profile, 'SingletonLock'), { force: true });

  await server.launch();
  ({ context, page } = await browserOn(profile));
  await page.goto(`${server.url}/form-asian`);
  await ready(page);
  await expectEverything(page);
  await page.reload();
  await ready(page);
  await expectEverything(page);
  await sendToSuccess(page);
  expect((await server.submissions('film')).length).toBe(before + 1);
  await context.close();
  await rm(profile, { recursive: true, force: true });
});

test('response lost after storing: the retry gets the same response and stores no second row', async ({ page, watch }) => {
  watch.expect(/ERR_EMPTY_RESPONSE|ERR_CONNECTION|^failed: .*\/api\/changed/);
  const before = (await server.submissions('film')).length;
  const proxy = await CuttableProxy.to(server.url);
  await page.goto(`${proxy.url}/form-asian`);
  await ready(page);
  await fillAll(page, form);
  await inputOf(page, 'title_english').fill('The answer that was lost');
  proxy.cutting = true;
  await submitButton(page).click();
  await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
  await expect.poll(async () => (await server.submissions('film')).length).toBe(before + 1);
  proxy.cutting = false;
  await sendToSuccess(page);
  expect((await server.submissions('film')).length).toBe(before + 1);
  proxy.close();
});

test('text and files survive a reload and a closed tab, and are deleted when the form is cleared', async ({ context, page }) => {
  agreeToLeave(page);
  await page.goto(`${server.url}/form-asian`);
  await ready(page);
  await fillAll(page, form);
  await waitForDraft(page, form);
  await page.reload();
  await ready(page);
  await expectEverything(page);
  await page.close();
  const other = await context.newPage();
  await other.goto(`${server.url}/form-asian`);
  await ready(other);
  await expectEverything(other);
  await other.getByRole('button', { name: 'Clear them' }).click();
  await other.getByRole('button', { name: 'Yes, clear everything' }).click();
  await expect(inputOf(other, 'title_original')).toHaveValue('');
  await other.reload();
  await ready(other);
  await expect(inputOf(other, 'title_original')).toHaveValue('');
  await expect(other.getByText('Your entries are kept on this device.')).toHaveCount(0);
});

test('a second tab shows that the form is open elsewhere, and takes over on demand', async ({ context, page }) => {
  agreeToLeave(page);
  await page.goto(`${server.url}/form-indian`);
  await ready(page);
  await inputOf(page, 'title_original').fill('In the first tab');
  await expect(page.getByText('Your entries are kept on this device.')).toBeVisible();
  const second = await context.newPage();
  agreeToLeave(second);
  await second.goto(`${server.url}/form-indian`);
  await expect(second.getByText('This form is open in another tab')).toBeVisible();
  await expect(inputOf(second, 'title_original')).toBeDisabled();
  await second.getByRole('button', { name: 'Go on here' }).click();
  await expect(inputOf(second, 'title_original')).toHaveValue('In the first tab');
  await expect(inputOf(second, 'title_original')).toBeEnabled();
  await expect(page.getByText('This form is open in another tab')).toBeVisible();
  await expect(inputOf(page, 'title_original')).toBeDisabled();

  // Back in the first tab, the changes of the second are there.
  await inputOf(second, 'title_original').fill('In the second tab');
  await page.getByRole('button', { name: 'Go on here' }).click();
  await expect(inputOf(page, 'title_original')).toHaveValue('In the second tab');
});

test('input typed before hydration is kept', async ({ page }) => {
  agreeToLeave(page);
  const release = await holdRequests(page, '**/assets/entry-client*.js');
  await page.goto(`${server.url}/form-indian`, { waitUntil: 'commit' });
  await inputOf(page, 'title_original').fill('Typed early');
  release();
  await ready(page);
  await expect(page.getByText('Your entries are kept on this device.')).toBeVisible();
  await waitForDraft(page, forms.indian);
  await page.reload();
  await ready(page);
  await expect(inputOf(page, 'title_original')).toHaveValue('Typed early');
});

test('leaving with unsent entries asks for confirmation: by a link, by Back, by a reload', async ({ page }) => {
  page.removeAllListeners('dialog');
  await page.goto(`${server.url}/submit-entry`);
  await page.getByRole('link', { name: 'Apply Now: Asian Cinema' }).click();
  await ready(page);
  await inputOf(page, 'title_original').fill('Not sent');
  const question = page.getByRole('dialog', { name: 'Leave this form?' });

  await page.getByRole('contentinfo').getByRole('link', { name: 'History' }).click();
  await expectTrapped(page);
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(page).toHaveURL(/form-asian$/);
  await expect(inputOf(page, 'title_original')).toHaveValue('Not sent');

  await page.evaluate(() => history.back());
  await expect(question).toBeVisible();
  await expect(page).toHaveURL(/form-asian$/);
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/submit-entry$/);

  await page.goBack().catch(() => {});
  await page.goto(`${server.url}/form-asian`);
  await ready(page);
  await expect(inputOf(page, 'title_original')).toHaveValue('Not sent');
  await inputOf(page, 'title_original').pressSequentially(' yet');
  let dialogType = '';
  page.on('dialog', (dialog) => {
    dialogType = dialog.type();
    void dialog.accept();
  });
  await page.reload();
  expect(dialogType).toBe('beforeunload');
});

test('offline, the form says so, keeps everything and sends on demand', async ({ context, page, watch }) => {
  watch.expect(FORM_FAILURE);
  await page.goto(`${server.url}/form-indian`);
  await ready(page);
  await fillAll(page, forms.indian);
  // The page of a link below the pointer would be fetched.
  await page.mouse.move(0, 0);
  await context.setOffline(true);
  await expect(page.getByText('You are offline. You can go on')).toBeVisible();
  await submitButton(page).click();
  await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
  await expect(page.getByText('You are offline. Send the form when')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('You are offline. You can go on')).toHaveCount(0);
  await sendToSuccess(page);
});

for (const [status, sentence] of [
  [413, 'The whole form is larger than 60 MB.'],
  [429, 'Too many forms from this address. Please wait a minute.'],
  [503, 'The festival is busy. Please try again in a moment.'],
  [507, 'There is no room at the moment.'],
  [408, 'The sending stopped.'],
  [403, 'This form is closed. Submissions are no longer accepted.'],
] as const) {
  test(`a response ${status}: the fixed toast, the server’s message, no input lost`, async ({ page, watch }) => {
    watch.expect(new RegExp(`status ${status}|status of ${status}`));
    await page.route('**/api/delegate-form/', (route) =>
      route.fulfill({ status, json: { error: sentence, code: 'x', fields: [] } }),
    );
    await page.goto(`${server.url}/form`);
    await ready(page);
    await fillAll(page, forms.delegate);
    await submitButton(page).click();
    await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(inputOf(page, 'name')).toHaveValue(/./);
    await expect(page.getByRole('button', { name: 'Remove Signature' })).toBeVisible();
    await page.unroute('**/api/delegate-form/');
    await sendToSuccess(page);
  });
}

for (const form of [forms.delegate, forms.malayalam]) {
  test(`${form.key}: whatever the failure, the same toast and everything as it was entered`, async ({ page, watch }) => {
    watch.expect(/status (of )?[45]\d\d/, /ERR_FAILED|^failed:/, /^console (error|warning): /);
    await page.clock.install();
    let answer: { status: number; body: string } | null = null;
    await page.route(`**/api${form.api_path}`, (route) => (answer ? route.fulfill(answer) : route.abort()));
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    const filled = await contentsOf(page, form);
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const statuses = [400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504, 507, 599];
    for (const failure of [...statuses.map((status) => ({ status, body: '<h1>The proxy says no</h1>' })), null]) {
      answer = failure;
      await submitButton(page).click();
      await expect(errorToasts(page), `${failure?.status}`).toHaveText(['Error submitting form!']);
      await expect(submitButton(page)).toHaveText('Submit Form');
      await expect(submitButton(page)).toBeEnabled();
      expect(await contentsOf(page, form), `${failure?.status}`).toEqual(filled);
      await page.clock.runFor(3100);
      await expect(errorToasts(page)).toHaveCount(0);
    }
  });
}

test('a busy site is retried automatically until stopped', async ({ page, watch }) => {
  watch.expect(/status (of )?503/, FORM_FAILURE);
  let busy = true;
  const busyAnswer = { status: 503, headers: { 'Retry-After': '1' }, json: { error: 'The festival is busy.', fields: [] } };
  await page.route('**/api/delegate-form/', (route) => (busy ? route.fulfill(busyAnswer) : route.continue()));
  await page.goto(`${server.url}/form`);
  await ready(page);
  await fillAll(page, forms.delegate);
  await submitButton(page).click();
  const waiting = page.getByText('Yours is sent again by itself.');
  await expect(waiting).toBeVisible();
  await page.getByRole('button', { name: 'Stop sending' }).click();
  await expect(waiting).toHaveCount(0);
  await expect(page.getByText('Nothing is lost: everything you entered is still here.')).toBeVisible();
  await submitButton(page).click();
  await expect(waiting).toBeVisible();
  busy = false;
  await page.waitForURL('**/success');
});

test('errors from the server are shown at their fields', async ({ page, watch }) => {
  watch.expect(/status (of )?422/);
  const message = 'This address cannot be used';
  await page.route('**/api/delegate-form/', (route) =>
    route.fulfill({ status: 422, json: { error: message, code: 'invalid', fields: [{ field: 'email', message }] } }),
  );
  await page.goto(`${server.url}/form`);
  await ready(page);
  await fillAll(page, forms.delegate);
  await submitButton(page).click();
  await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
  await expect(page.locator('#field-email-problem')).toHaveText(message);
  await expect(inputOf(page, 'email')).toBeFocused();
});

test('the idempotency key stays the same until rejected entries are changed', async ({ page, watch }) => {
  watch.expect(/status (of )?(422|503)/);
  const keys: string[] = [];
  const statuses = [503, 422, 422, 201];
  await page.route('**/api/delegate-form/', (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    void route.fulfill({ status: statuses[keys.length - 1], json: { error: 'no', fields: [], reference: 'DL-1', message: '' } });
  });
  await page.goto(`${server.url}/form`);
  await ready(page);
  await fillAll(page, forms.delegate);
  for (let sent = 1; sent <= 3; sent += 1) {
    await submitButton(page).click();
    await expect.poll(() => keys.length).toBe(sent);
    await ready(page);
  }
  await inputOf(page, 'name').fill('Another name');
  await sendToSuccess(page);
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(keys[3]).not.toBe(keys[0]);
  await expect(page.getByText('DL-1')).toBeVisible();
});

test('without browser storage the form says so before anything is entered, and can be sent', async ({ page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('closed', 'SecurityError');
    };
  });
  await page.goto(`${server.url}/form`);
  await ready(page);
  await expect(page.getByText('This browser does not let us keep your entries')).toBeVisible();
  await fillAll(page, forms.delegate);
  await sendToSuccess(page);
});

test('the contact form shows the server’s error, or its own if there is none, and keeps the entries', async ({ page, watch }) => {
  watch.expect(/status (of )?500|ERR_FAILED|^failed:/);
  for (const [response, expected] of [
    [{ status: 500, json: { error: 'The office is closed today.' } }, 'The office is closed today.'],
    [null, 'Failed to send message. Please try again.'],
  ] as const) {
    await page.route('**/api/contact/', (route) => (response ? route.fulfill(response) : route.abort()));
    await page.goto(`${server.url}/contact-us`);
    await ready(page);
    for (const field of forms.contact.fields) await fill(page, field);
    await submitButton(page).click();
    const popup = page.getByRole('dialog');
    await expect(popup).toContainText(expected);
    await popup.getByRole('button', { name: 'OK' }).click();
    await expect(inputOf(page, 'message')).not.toHaveValue('');
    await page.unroute('**/api/contact/');
    page.removeAllListeners('dialog');
  }
});
