import { forms, texts } from '../../../frontend/src/shared/api/generated/forms.ts';
import { agree, errorToasts, fill, fillAll, inputOf, pictureOf, ready, sendToSuccess, submitButton, textFor } from '../support/forms.ts';
import { FormsServer } from '../support/forms-server.ts';
import { expect, open, type Page, test } from '../support/test.ts';
import { FORM_FAILURE } from '../support/watch.ts';

const form = forms.delegate;
const filed = form.fields.filter(({ kind, required }) => kind === 'file' && required);
const uploadPath = `/api${form.files_path}`;
const formPath = `/api${form.api_path}`;

let server: FormsServer;
test.beforeAll(async () => {
  server = await FormsServer.start({ FESTIVAL_CONTACT__EMAIL: 'office@example.org' });
});
test.afterAll(() => server.stop());

test.beforeEach(({ page }) => {
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => void dialog.accept());
});

/** The tile of a file. */
function tile(page: Page, name: string) {
  return page.locator('[data-chosen]', { has: inputOf(page, name) });
}

test.describe('the page that follows', () => {
  test('is there before the form is sent', async ({ page }) => {
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

  test('is tried again slowly where it does not load, and the form’s own page has the reference', async ({ page, watch }) => {
    watch.expect(/ERR_FAILED|^failed:.*success-page|dynamically imported module|Unable to preload/);
    await page.clock.install();
    let asked = 0;
    await page.route('**/assets/success-page*.js*', (route) => {
      asked += 1;
      return route.abort();
    });
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    await submitButton(page).click();
    await expect(submitButton(page)).toHaveText(texts.submitted);
    const main = page.getByRole('main');
    await expect(main).toContainText(/It has arrived\. Your reference: DL-\d{4}-\d{4}/);
    await expect(main.getByText('The next page cannot be loaded at the moment')).toBeVisible();
    await expect(main.getByText('What you sent', { exact: true })).toBeVisible();
    const before = asked;
    await page.clock.runFor(60_000);
    expect(asked - before).toBeLessThanOrEqual(4);
    await expect(page).toHaveURL(server.url + form.path);
    await page.unroute('**/assets/success-page*.js*');
    await page.clock.runFor(61_000);
    await expect(page).toHaveURL(`${server.url}/success`);
  });

  test('says everything that was sent, when, what follows, and whom to write to; also after a reload and on paper', async ({ page }) => {
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

  test('shows nothing of anybody where nothing was sent', async ({ page }) => {
    await page.goto(`${server.url}/success`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Form Submitted Successfully');
    await expect(page.getByText('What you sent')).toHaveCount(0);
  });
});

test('a page whose code does not come is tried again slowly, with a sentence, and comes by itself', async ({ page, watch }) => {
  watch.expect(/ERR_FAILED|^failed:|dynamically imported module|could not be loaded|Unable to preload/);
  await page.clock.install();
  let asked = 0;
  await page.route('**/assets/history-page*.js*', (route) => {
    asked += 1;
    return route.abort();
  });
  // Before React has taken over a link is the browser's own.
  await open(page, `${server.url}/about-us`);
  await page.getByRole('contentinfo').getByRole('link', { name: 'History' }).click();
  await expect(page.getByText('It could not be loaded.')).toBeVisible();
  await page.clock.runFor(60_000);
  expect(asked).toBeLessThanOrEqual(5);
  await page.unroute('**/assets/history-page*.js*');
  await page.clock.runFor(61_000);
  await expect(page.getByText('It could not be loaded.')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('History');
});

test.describe('what is kept on the device', () => {
  test('a file that there is no room for says so beside its field, and the rest is kept', async ({ page, watch }) => {
    watch.expect(/status (of )?503/);
    await page.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value, key) {
        if (value instanceof File && value.size > 1_000_000) throw new DOMException('full', 'QuotaExceededError');
        return put.call(this, value, key);
      };
    });
    await page.route(`**${uploadPath}`, (route) => route.fulfill({ status: 503, json: { error: 'full' } }));
    await page.goto(server.url + form.path);
    await ready(page);
    await inputOf(page, 'name').fill('Somebody');
    await expect(page.getByText('Your entries are kept on this device.')).toBeVisible();
    const large = { name: 'large.jpg', mimeType: 'image/jpeg', buffer: await pictureOf(2_000_000) };
    await inputOf(page, 'signature').setInputFiles(large);
    await expect(tile(page, 'signature')).toContainText('Not kept on this device');
    await fill(page, filed.find(({ name }) => name === 'screenshot') as (typeof filed)[number]);
    await expect(tile(page, 'screenshot')).toContainText('Kept on this device.');
    await expect(page.getByText('Your entries are kept on this device.')).toHaveCount(0);
    await expect(page.getByText('What you typed is kept on this device.')).toBeVisible();
  });

  test('a database that never answers is not said to keep anything, and the form is sent all the same', async ({ page }) => {
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => ({}) as IDBOpenDBRequest;
    });
    const claims: string[] = [];
    await page.exposeFunction('claim', (text: string) => claims.push(text));
    await page.addInitScript(() => {
      new MutationObserver(() => {
        const said = document.body?.innerText.match(/(Your entries are|What you typed is) kept on this device/);
        if (said) void (window as unknown as { claim: (text: string) => void }).claim(said[0]);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.clock.install();
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    // Reading is given up first, then writing.
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
            locks.push('asked');
            return { release: async () => locks.push('released') };
          },
        },
      });
    });
    let answer = () => {};
    const answered = new Promise<void>((done) => {
      answer = done;
    });
    await page.route(`**${formPath}`, async (route) => {
      await answered;
      await route.continue();
    });
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    const locks = () => page.evaluate(() => (window as unknown as { locks: string[] }).locks);
    expect(await locks()).toEqual([]);
    await submitButton(page).click();
    await expect(submitButton(page)).toHaveText(texts.submitting);
    await expect.poll(locks).toEqual(['asked']);
    answer();
    await expect(submitButton(page)).toHaveText(texts.submitted);
    await expect.poll(locks).toEqual(['asked', 'released']);
  });

  test('a toast takes the place of the one before it', async ({ page }) => {
    await page.goto(server.url + form.path);
    await ready(page);
    await submitButton(page).click();
    await expect(errorToasts(page)).toHaveText('Please fill in name');
    await inputOf(page, 'name').fill('Somebody');
    await submitButton(page).click();
    await expect(errorToasts(page)).toHaveText('Please fill in email');
  });
});

test('a slow connection is never given up; after a minute without progress a person may stop it', async ({ page, watch }) => {
  watch.expect(FORM_FAILURE);
  await page.clock.install();
  await page.route(`**${formPath}`, () => {});
  await page.goto(server.url + form.path);
  await ready(page);
  await fillAll(page, form);
  for (const { name } of filed) await expect(tile(page, name)).toContainText('Uploaded and checked.');
  await submitButton(page).click();
  await expect(submitButton(page)).toHaveText(texts.submitting);
  await page.clock.runFor(20 * 60_000);
  await expect(submitButton(page)).toHaveText(texts.submitting);
  await page.getByRole('button', { name: 'Stop sending' }).click();
  await expect(submitButton(page)).toHaveText(texts.submit);
  await expect(page.getByText('Sending again is safe')).toBeVisible();
  await page.unroute(`**${formPath}`);
});

for (const [status, sentence] of [
  [413, 'The form is too large for a computer between you and the festival.'],
  [502, 'The festival cannot be reached at the moment.'],
  [504, 'The festival cannot be reached at the moment.'],
] as const) {
  test(`a proxy’s ${status} becomes a sentence, and nothing is lost`, async ({ page, watch }) => {
    watch.expect(new RegExp(`status (of )?${status}`));
    await page.route(`**${formPath}`, (route) =>
      route.fulfill({ status, contentType: 'text/html', body: '<html><h1>nginx</h1></html>' }),
    );
    await page.goto(server.url + form.path);
    await ready(page);
    await fillAll(page, form);
    await submitButton(page).click();
    await expect(errorToasts(page).last()).toHaveText(texts.failure);
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(inputOf(page, 'name')).not.toHaveValue('');
    await page.unroute(`**${formPath}`);
    await sendToSuccess(page);
  });
}

test('the Asian form says how dollars are paid: in the organisers’ words, or by writing to them', async ({ page }) => {
  await page.goto(server.url + forms.asian.path);
  await expect(page.getByText('SWIFT code: EXMPIN00XXX')).toBeVisible();
  await page.goto(server.url + forms.indian.path);
  await expect(page.getByText('dollars')).toHaveCount(0);
  const without = await FormsServer.start({ FESTIVAL_MODULES__FORMS__DOLLAR_PAYMENT: '' });
  await page.goto(without.url + forms.asian.path);
  await expect(page.getByText('Write to us for payment in dollars')).toBeVisible();
  // What the page loads later is not refused by a server that has gone.
  await page.waitForLoadState('networkidle');
  await page.goto('about:blank');
  await without.stop();
});

/** A moment so many seconds from now, as the settings have it. */
function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

test.describe('the deadline', () => {
  test('is told with hour, zone and time left, by the server’s clock and not the phone’s', async ({ page }) => {
    const site = await FormsServer.start({
      FESTIVAL_MODULES__FORMS__CLOSES_AT__DELEGATE: inSeconds(3 * 86_400 + 4 * 3_600 + 1_800),
    });
    for (const years of [-1, 1]) {
      await page.clock.install({ time: Date.now() + years * 365 * 86_400_000 });
      await page.goto(site.url + form.path);
      await ready(page);
      await expect(page.getByText(texts.closed)).toHaveCount(0);
      await inputOf(page, 'name').focus();
      await expect(page.getByText(/^Open until \d+ \w+ \d{4}, \d+:\d\d [AP]M \(Asia\/Kolkata, UTC\+05:30\)\. 3 days 4 hours left\./)).toBeVisible();
      await expect(page.getByText(texts.closed)).toHaveCount(0);
    }
    // It may still be fetching.
    await page.goto('about:blank');
    await site.stop();
  });

  test('is not closed during the grace, and what comes then is late', async ({ page }) => {
    const site = await FormsServer.start({
      FESTIVAL_MODULES__FORMS__CLOSES_AT__DELEGATE: inSeconds(-60),
      FESTIVAL_MODULES__FORMS__GRACE_MINUTES: '60',
    });
    await page.goto(site.url + form.path);
    await ready(page);
    await inputOf(page, 'name').focus();
    await expect(page.getByText('The form is still taken, and is marked as late.')).toBeVisible();
    await expect(page.getByText(texts.closed)).toHaveCount(0);
    await fillAll(page, form);
    await sendToSuccess(page);
    await expect(page.getByText('It arrived after the deadline and is marked as late.')).toBeVisible();
    // It may still be fetching.
    await page.goto('about:blank');
    await site.stop();
  });

  test('that has passed stands where one types', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const site = await FormsServer.start({ FESTIVAL_MODULES__FORMS__CLOSES_AT__DELEGATE: inSeconds(-60) });
    await page.goto(site.url + form.path);
    await ready(page);
    await expect(page.getByText(texts.closed)).toBeVisible();
    await inputOf(page, 'occupation').focus();
    await expect(page.getByText('Closed: it is not taken any more.')).toBeInViewport();
    // It may still be fetching.
    await page.goto('about:blank');
    await site.stop();
  });

  test('does not cut a sending that began in time, however long its files take', async ({ page }) => {
    test.slow();
    const began = Date.now();
    const site = await FormsServer.start({ FESTIVAL_MODULES__FORMS__CLOSES_AT__DELEGATE: inSeconds(20) });
    // The files are held until the deadline is over; the server has seen the head of the first.
    const deadline = new Promise((done) => setTimeout(done, began + 21_000 - Date.now()));
    const line = await page.context().newCDPSession(page);
    await page.goto(site.url + form.path);
    await ready(page);
    for (const field of form.fields) if (field.kind !== 'file' && field.required && !field.default) await fill(page, field);
    await line.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 60_000 });
    const large = { name: 'slow.jpg', mimeType: 'image/jpeg', buffer: await pictureOf(4_000_000) };
    await inputOf(page, 'screenshot').setInputFiles(large);
    await fill(page, filed.find(({ name }) => name === 'signature') as (typeof filed)[number]);
    await agree(page);
    await submitButton(page).click();
    await expect(submitButton(page)).toHaveText(texts.submitting);
    expect(Date.now() - began, 'it began before the deadline').toBeLessThan(20_000);
    await deadline;
    await line.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    await page.waitForURL('**/success', { timeout: 60_000 });
    await expect(page.getByText('It arrived after the deadline')).toHaveCount(0);
    expect((await site.kept('delegate')).length).toBe(1);
    // It may still be fetching.
    await page.goto('about:blank');
    await site.stop();
  });
});
