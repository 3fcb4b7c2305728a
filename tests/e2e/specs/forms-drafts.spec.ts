import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { errorToasts, fill, fillAll, inputOf, pictureOfSize, ready, sendToSuccess, submitButton, textFor, waitForDraft } from '../support/forms.ts';
import { type FormsServer, startFormsServer } from '../support/forms-server.ts';
import { keepAnimationFrames, settled } from '../support/frames.ts';
import { expect, holdRequests, leave, open, type Page, test } from '../support/test.ts';
import { FORM_FAILURE } from '../support/watch.ts';

const form = forms.delegate;
const filed = form.fields.filter(({ kind, required }) => kind === 'file' && required);
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

/** The tile of a file field. */
function tile(page: Page, name: string) {
  return page.locator('[data-chosen]', { has: inputOf(page, name) });
}

test.describe('the page that follows', () => {
  test('the success page is loaded before the form is sent', async ({ page }) => {
    const order: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/success-page.*\.js$/.test(pathname)) order.push('page');
      if (request.method() === 'POST' && pathname === formPath) order.push('form');
    });
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    await sendToSuccess(page);
    expect(order).toEqual(['page', 'form']);
  });

  test('a success page that fails to load is retried, and the form shows the reference', async ({ page, watch }) => {
    watch.expect(/ERR_FAILED|^failed:.*success-page|dynamically imported module|Unable to preload/);
    await keepAnimationFrames(page);
    await page.clock.install();
    let requests = 0;
    await page.route('**/assets/success-page*.js*', (route) => {
      requests += 1;
      return route.abort();
    });
    await page.goto(server.url + form.path);
    await ready(page);
    // One attempt, under two addresses, however much is typed.
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const letters of ['A', 'An', 'Ann']) await inputOf(page, 'name').fill(letters);
    await expect.poll(() => requests).toBe(2);
    for (const letters of ['Anna', 'Anna ', 'Anna M']) await inputOf(page, 'name').fill(letters);
    await settled(page);
    expect(requests).toBe(2);
    await page.clock.resume();
    await fillAll(page, form);
    await submitButton(page).click();
    await expect(submitButton(page)).toHaveText('Submitted');
    const main = page.getByRole('main');
    await expect(main).toContainText(/It has arrived\. Your reference: DL-\d{4}-\d{4}/);
    await expect(main.getByText('The next page cannot be loaded at the moment')).toBeVisible();
    await expect(main.getByText('What you sent', { exact: true })).toBeVisible();
    const before = requests;
    await page.clock.runFor(60_000);
    expect(requests - before).toBeLessThanOrEqual(4);
    await expect(page).toHaveURL(server.url + form.path);
    await page.unroute('**/assets/success-page*.js*');
    await page.clock.runFor(61_000);
    await expect(page).toHaveURL(`${server.url}/success`);
  });

  test('the success page lists everything sent, the time, the next steps and the contact, also after a reload and in print', async ({ page }) => {
    const asian = forms.asian;
    await page.goto(server.url + asian.path);
    await ready(page);
    await fillAll(page, asian);
    const names = await page.locator('[data-chosen="true"] p:first-child').allInnerTexts();
    await sendToSuccess(page);
    for (const look of ['at once', 'after a reload', 'on paper']) {
      if (look === 'after a reload') await page.reload();
      if (look === 'on paper') await page.emulateMedia({ media: 'print' });
      const main = page.getByRole('main');
      await expect(main).toContainText(/AS-\d{4}-\d{4}/);
      await expect(main).toContainText(/Received\s*\d+ \w+ \d{4}, \d+:\d\d [AP]M \(Asia\/Kolkata, UTC\+05:30\)/);
      await expect(main).toContainText(/before the festival begins on \d+ \w+ \d{4}/);
      await expect(main.getByRole('link', { name: 'office@example.org' })).toBeVisible();
      for (const field of asian.fields) {
        if (field.kind === 'file' || !field.required) continue;
        if (field.choices.length === 0 && !field.default) await expect(main, field.name).toContainText(textFor(field));
      }
      for (const name of names) await expect(main).toContainText(name.replace(/\s+/g, ' '));
      await expect(main.getByRole('button', { name: 'Print this page' })).toBeVisible({ visible: look !== 'on paper' });
    }
    expect(names.length).toBe(asian.fields.filter(({ kind }) => kind === 'file').length);
  });

  test('the success page shows no data if nothing was sent', async ({ page }) => {
    await page.goto(`${server.url}/success`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Form Submitted Successfully');
    await expect(page.getByText('What you sent')).toHaveCount(0);
  });
});

test('a page whose code fails to load is retried with a message', async ({ page, watch }) => {
  watch.expect(/ERR_FAILED|^failed:|dynamically imported module|could not be loaded|Unable to preload/);
  await page.clock.install();
  let requests = 0;
  await page.route('**/assets/history-page*.js*', (route) => {
    requests += 1;
    return route.abort();
  });
  // Before hydration a link would load the document.
  await open(page, `${server.url}/about-us`);
  await page.getByRole('contentinfo').getByRole('link', { name: 'History' }).click();
  await expect(page.getByText('It could not be loaded.')).toBeVisible();
  await page.clock.runFor(60_000);
  expect(requests).toBeLessThanOrEqual(5);
  await page.unroute('**/assets/history-page*.js*');
  await page.clock.runFor(61_000);
  await expect(page.getByText('It could not be loaded.')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('History');
});

test.describe('data stored on the device', () => {
  test('a file over the storage quota is reported at its field, and the rest is stored', async ({ page }) => {
    await page.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value, key) {
        if (value.bytes?.byteLength > 1_000_000) throw new DOMException('full', 'QuotaExceededError');
        return put.call(this, value, key);
      };
    });
    await page.goto(server.url + form.path);
    await ready(page);
    await inputOf(page, 'name').fill('Somebody');
    await expect(page.getByText('Your entries are kept on this device.')).toBeVisible();
    const large = { name: 'large.jpg', mimeType: 'image/jpeg', buffer: await pictureOfSize(2_000_000) };
    await inputOf(page, 'signature').setInputFiles(large);
    await expect(tile(page, 'signature')).toContainText('Not kept on this device');
    await fill(page, filed.find(({ name }) => name === 'screenshot') as (typeof filed)[number]);
    await expect(tile(page, 'screenshot')).toContainText('Kept on this device.');
    await expect(page.getByText('Your entries are kept on this device.')).toHaveCount(0);
    await expect(page.getByText('What you typed is kept on this device.')).toBeVisible();
  });

  test('a browser that never finishes storing a File, as WebKit in a private window, keeps texts and files', async ({ page }) => {
    await page.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      const { commit } = IDBTransaction.prototype;
      const stuck = new WeakSet<IDBTransaction>();
      const holdsFile = (value: unknown): boolean =>
        value instanceof Blob || (typeof value === 'object' && value !== null && Object.values(value).some(holdsFile));
      IDBObjectStore.prototype.put = function (value, key) {
        if (!holdsFile(value)) return put.call(this, value, key);
        // The transaction neither ends nor fails, and those after it wait.
        stuck.add(this.transaction);
        const wait = (): IDBRequest => Object.assign(this.count(), { onsuccess: wait });
        return wait() as IDBRequest<IDBValidKey>;
      };
      IDBTransaction.prototype.commit = function () {
        if (!stuck.has(this)) commit.call(this);
      };
    });
    await page.goto(server.url + form.path);
    await ready(page);
    await inputOf(page, 'name').fill('Meera');
    for (const field of filed) await fill(page, field);
    await inputOf(page, 'address').fill('12 Lantern Road');
    for (const { name } of filed) await expect(tile(page, name)).toContainText('Kept on this device.');
    await expect(page.getByText('Your entries are kept on this device.')).toBeVisible();
    await page.reload();
    await ready(page);
    await expect(inputOf(page, 'name')).toHaveValue('Meera');
    await expect(inputOf(page, 'address')).toHaveValue('12 Lantern Road');
    for (const { label } of filed) await expect(page.getByRole('button', { name: `Remove ${label}` })).toBeVisible();
    await fillAll(page, form);
    await sendToSuccess(page);
  });

  test('a file that an earlier version of the site stored is restored and sent', async ({ page }) => {
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    await waitForDraft(page, form);
    await page.evaluate(async () => {
      const open = indexedDB.open('festival-forms');
      await new Promise((done) => (open.onsuccess = done));
      const store = open.result.transaction('files', 'readwrite').objectStore('files');
      const stored = store.get(['delegate', 'signature']);
      await new Promise((done) => (stored.onsuccess = done));
      store.put(new File([stored.result.bytes], 'earlier.jpg', { type: 'image/jpeg' }), ['delegate', 'signature']);
      await new Promise((done) => (store.transaction.oncomplete = done));
      open.result.close();
    });
    await page.reload();
    await ready(page);
    await expect(tile(page, 'signature')).toContainText('earlier.jpg');
    await sendToSuccess(page);
  });

  test('without a working browser database nothing is claimed to be stored, and the form can be sent', async ({ page }) => {
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => ({}) as IDBOpenDBRequest;
    });
    const claims: string[] = [];
    await page.exposeFunction('claim', (text: string) => claims.push(text));
    await page.addInitScript(() => {
      new MutationObserver(() => {
        const claim = document.body?.innerText.match(/(Your entries are|What you typed is) kept on this device/);
        if (claim) void (window as unknown as { claim: (text: string) => void }).claim(claim[0]);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.clock.install();
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    // Reading times out first, then writing.
    const failed = page.getByText('This browser does not let us keep your entries');
    await expect(async () => {
      await page.clock.fastForward(20_000);
      await expect(failed).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(page.getByText('Not kept on this device.', { exact: true })).toBeVisible();
    await sendToSuccess(page);
    expect(claims).toEqual([]);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the screen stays awake while a form is sent, and no longer', async ({ page }) => {
    await page.addInitScript(() => {
      const locks: string[] = [];
      Object.assign(window, { locks });
      Object.defineProperty(navigator, 'wakeLock', {
        value: {
          request: async () => {
            locks.push('requested');
            return { release: async () => locks.push('released') };
          },
        },
      });
    });
    const answer = await holdRequests(page, `**${formPath}`);
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    const locks = () => page.evaluate(() => (window as unknown as { locks: string[] }).locks);
    expect(await locks()).toEqual([]);
    await submitButton(page).click();
    await expect(submitButton(page)).toHaveText('Submitting...');
    await expect.poll(locks).toEqual(['requested']);
    answer();
    await expect(submitButton(page)).toHaveText('Submitted');
    await expect.poll(locks).toEqual(['requested', 'released']);
  });

  test('a toast replaces the previous one', async ({ page }) => {
    await page.goto(server.url + form.path);
    await ready(page);
    await submitButton(page).click();
    await expect(errorToasts(page)).toHaveText('Please fill in name');
    await inputOf(page, 'name').fill('Somebody');
    await submitButton(page).click();
    await expect(errorToasts(page)).toHaveText('Please fill in email');
  });
});

test('a slow upload is never aborted; after a minute without progress it can be stopped', async ({ page, watch }) => {
  watch.expect(FORM_FAILURE);
  await page.clock.install();
  await page.route(`**${formPath}`, () => {});
  await page.goto(server.url + form.path);
  await ready(page);
  await fillAll(page, form);
  await submitButton(page).click();
  await expect(submitButton(page)).toHaveText('Submitting...');
  await page.clock.runFor(20 * 60_000);
  await expect(submitButton(page)).toHaveText('Submitting...');
  await page.getByRole('button', { name: 'Stop sending' }).click();
  await expect(submitButton(page)).toHaveText('Submit Form');
  await expect(page.getByText('Sending again is safe')).toBeVisible();
  await page.unroute(`**${formPath}`);
});

for (const [status, sentence] of [
  [413, 'The form is too large for a computer between you and the festival.'],
  [502, 'The festival cannot be reached at the moment.'],
  [504, 'The festival cannot be reached at the moment.'],
] as const) {
  test(`a proxy’s ${status} is explained, and no input is lost`, async ({ page, watch }) => {
    watch.expect(new RegExp(`status (of )?${status}`));
    await page.route(`**${formPath}`, (route) =>
      route.fulfill({ status, contentType: 'text/html', body: '<html><h1>nginx</h1></html>' }),
    );
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    await submitButton(page).click();
    await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(inputOf(page, 'name')).not.toHaveValue('');
    await page.unroute(`**${formPath}`);
    await sendToSuccess(page);
  });
}

test('the Asian form explains payment in dollars: by the organisers’ text, or by asking them', async ({ page }) => {
  await page.goto(server.url + forms.asian.path);
  await expect(page.getByText('SWIFT code: EXMPIN00XXX')).toBeVisible();
  await page.goto(server.url + forms.indian.path);
  await expect(page.getByText('dollars')).toHaveCount(0);
  const without = await startFormsServer({ FESTIVAL_MODULES__FORMS__DOLLAR_PAYMENT: '' });
  await page.goto(without.url + forms.asian.path);
  await expect(page.getByText('Write to us for payment in dollars')).toBeVisible();
  // Later requests of the page must not fail because the server has stopped.
  await page.waitForLoadState('networkidle');
  await leave(page, without);
});
