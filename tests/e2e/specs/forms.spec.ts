import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { axe } from '../support/axe.ts';
import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import type { FormDescription } from '../../../frontend/src/shared/api/generated/forms.ts';
import { errorToasts, fill, fillAll, fillByKeyboard, inputOf, pictureOfSize, ready, sendToSuccess, submitButton, waitForDraft } from '../support/forms.ts';
import { expectTrapped } from '../support/keyboard.ts';
import { type FormsServer, startFormsServer } from '../support/forms-server.ts';
import { temporaryFolder } from '../support/program.ts';
import { paymentOf, readCode } from '../support/qr.ts';
import { expect, type Page, test } from '../support/test.ts';

let server: FormsServer;
test.beforeAll(async () => {
  server = await startFormsServer({
    FESTIVAL_PAYMENT__UPI__ID: 'lamp@examplebank',
    FESTIVAL_PAYMENT__UPI__PAYEE: 'Lamp Society',
    FESTIVAL_FEES__CODES: '[{code="SCHOOL25", reduction="50%", reason="Film schools"}]',
  });
});
test.afterAll(() => server.stop());

// As files: buffers are sent over the browser's control connection, which is slow.
let pictures: string;
let exact: string;
let more: string;
test.beforeAll(async () => {
  pictures = await temporaryFolder();
  exact = join(pictures, 'just.jpg');
  more = join(pictures, 'large.jpg');
  await writeFile(exact, await pictureOfSize(5_242_880));
  await writeFile(more, await pictureOfSize(5_242_881));
});
test.afterAll(() => rm(pictures, { recursive: true, force: true }));

const withFiles = [forms.delegate, forms.asian, forms.indian, forms.malayalam];
const all = [...withFiles, forms.contact];
const exportOf = { delegate: 'delegate', asian: 'film', indian: 'film', malayalam: 'film', contact: 'contact' } as const;

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the progress indicator follows scrolling, also back to the top', async ({ page }) => {
    await page.goto(server.url + forms.asian.path);
    await ready(page);
    const current = page.getByRole('navigation', { name: 'Parts of the form' }).locator('[aria-current="step"]');
    await expect(current).toContainText('Film Details');
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await expect(current).toContainText('Verification');
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await expect(current).toContainText('Film Details');
  });

  for (const form of withFiles) {
    test(`${form.key}: filled in by keyboard alone and sent`, async ({ page, watch }) => {
      const before = (await server.submissions(exportOf[form.key])).length;
      await page.goto(server.url + form.path);
      await ready(page);
      const visited = await fillByKeyboard(page, form);
      const onPage = form.sections.flatMap(({ fields }) => fields);
      expect(visited).toEqual(onPage);
      await page.keyboard.press('Enter');
      await expect(submitButton(page)).toHaveText('Submitted');
      await expect(page.locator('body > div > [role="status"] > p')).toHaveText('Form submitted successfully!');
      await page.waitForURL('**/success');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Form Submitted Successfully');
      // The toast stays after the form's page.
      await expect(page.locator('body > div > [role="status"] > p')).toHaveText('Form submitted successfully!');
      const submissions = await server.submissions(exportOf[form.key]);
      expect(submissions.length).toBe(before + 1);
      expect(watch.complaints()).toEqual([]);

      await page.goto(server.url + form.path);
      await ready(page);
      await expect(inputOf(page, form.fields[0]?.name ?? '')).toHaveValue('');
      await expect(page.getByText('Your entries are kept on this device.')).toHaveCount(0);
    });
  }

  test('contact: filled in by keyboard alone, a popup confirms, OK and a click outside close it', async ({ page }) => {
    await page.goto(`${server.url}/contact-us`);
    await ready(page);
    for (const close of ['OK', 'outside']) {
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await fillByKeyboard(page, forms.contact);
      await page.keyboard.press('Enter');
      const popup = page.getByRole('dialog');
      await expect(popup).toContainText('Message sent successfully!');
      await expectTrapped(page);
      if (close === 'OK') await popup.getByRole('button', { name: 'OK' }).press('Enter');
      else await page.mouse.click(5, 5);
      await expect(popup).toHaveCount(0);
      await expect(submitButton(page)).toBeFocused();
      for (const { name } of forms.contact.fields) await expect(inputOf(page, name)).toHaveValue('');
      await page.reload();
      await ready(page);
    }
    expect((await server.submissions('contact')).length).toBeGreaterThan(0);
  });

  test('forms fit the window, and touch targets are large enough', async ({ page }) => {
    for (const form of all) {
      await page.goto(server.url + form.path);
      await ready(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      const small = await page.locator('form :is(input:not([tabindex="-1"]), select, textarea, button), nav a').evaluateAll((elements) =>
        elements
          .map((element) => (element.matches('[type=radio], [type=checkbox]') ? (element.closest('label') ?? element) : element))
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
          .map((element) => element.outerHTML.slice(0, 80)),
      );
      expect(small, form.key).toEqual([]);
    }
  });
});

for (const form of withFiles) {
  test(`${form.key}: every file may have 5,242,880 bytes, and no more`, async ({ page }) => {
    await page.goto(server.url + form.path);
    await ready(page);
    for (const field of form.fields.filter(({ kind }) => kind === 'file')) {
      const input = inputOf(page, field.name);
      await input.setInputFiles(more);
      await expect(errorToasts(page).last()).toHaveText(`${field.name} file must be less than 5MB`);
      await expect(input).toHaveValue('');
      await expect(page.getByRole('button', { name: `Remove ${field.label}` })).toHaveCount(0);
      await input.setInputFiles(exact);
      await expect(page.getByRole('button', { name: `Remove ${field.label}` })).toBeVisible();
    }
    // Files of this size are also accepted by the server.
    for (const field of form.fields) if (field.kind !== 'file' && !field.default) await fill(page, field);
    await sendToSuccess(page);
  });
}

test('a picture is previewed and a PDF named; both can be replaced and removed', async ({ page }) => {
  await page.goto(`${server.url}/form-asian`);
  await ready(page);
  const named = (name: string) => forms.asian.fields.filter((field) => field.name === name);
  for (const field of [...named('film_poster'), ...named('producer_consent')]) {
    await fill(page, field);
    const tile = page.locator('div', { has: inputOf(page, field.name) }).filter({ has: page.getByText('Replace') }).last();
    await expect(tile).toBeVisible();
    if (field.name === 'film_poster') {
      const picture = page.locator('form img').first();
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    } else await expect(page.locator('form').getByText('PDF', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: `Remove ${field.label}` }).click();
    await expect(page.getByRole('button', { name: `Remove ${field.label}` })).toHaveCount(0);
    await expect(inputOf(page, field.name)).toBeFocused();
  }
});

test('Malayalam: "No" is sent as Second, with its label', async ({ page }) => {
  await page.goto(`${server.url}/form-malayalam`);
  await ready(page);
  await fillAll(page, forms.malayalam);
  await inputOf(page, 'title_english').fill('Neither first nor second');
  await inputOf(page, 'is_first_or_second_feature').selectOption({ label: 'No' });
  await sendToSuccess(page);
  const films = await server.submissions('film', '--award', 'malayalam');
  expect(films.find(({ title_english }) => title_english === 'Neither first nor second')).toMatchObject({ is_first_or_second_feature: 'Second', declared_feature_label: 'No' });
});

test('words are counted while typing, and more are accepted', async ({ page }) => {
  await page.goto(`${server.url}/form-indian`);
  await ready(page);
  const short = inputOf(page, 'synopsis_short');
  await short.fill('one well-made കഥ — 3');
  await expect(page.locator('#field-synopsis_short-words')).toHaveText('4 of 100 words');
  await short.fill('word '.repeat(103));
  await expect(page.locator('#field-synopsis_short-words')).toContainText('103 of 100 words. Please shorten it by 3');
  await inputOf(page, 'synopsis_long').fill('word '.repeat(301));
  await expect(page.locator('#field-synopsis_long-words')).toContainText('301 of 300 words. Please shorten it by 1');
  await inputOf(page, 'biography').fill('word '.repeat(200));
  await expect(page.locator('#field-biography-words')).toHaveText('200 of 200 words');
});

/** Closes the page of a form once its draft is on the device, and opens it in another tab. */
async function reopen(page: Page, form: FormDescription): Promise<Page> {
  const [context, url] = [page.context(), page.url()];
  await expect(page.getByText('Your entries are kept on this device.')).toBeVisible();
  await waitForDraft(page, form);
  await page.close();
  const again = await context.newPage();
  await again.goto(url);
  await ready(again);
  return again;
}

test('the fee, the QR code and its picture follow the category', async ({ page }) => {
  await page.goto(`${server.url}/form`);
  await ready(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // The code stays the same, whatever is chosen.
  await page.getByRole('button', { name: 'Copy: Note of the payment' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
  const code = await copied();
  for (const [label, amount, amountText] of [['Student Delegate', 500, '₹500'], ['Life Membership', 10000, '₹10,000']] as const) {
    await page.getByLabel(label).check();
    await expect(page.getByRole('img', { name: `QR code: pay ${amountText} to lamp@examplebank` })).toBeVisible();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the QR code' }).click();
    expect((await download).suggestedFilename()).toBe(`payment-${amount}-rupees.png`);
    expect(paymentOf(await readCode(page, await download))).toEqual({
      pa: 'lamp@examplebank',
      pn: 'Lamp Society',
      am: String(amount),
      cu: 'INR',
      tn: `${code} ${label}`,
    });
    await page.getByRole('button', { name: 'Copy: Amount in rupees' }).click();
    await expect.poll(copied).toBe(String(amount));
    await expect(page.getByText('Some apps take no more than ₹2,000')).toHaveCount(amount > 2000 ? 1 : 0);
    const link = await page.getByRole('link', { name: 'Open a UPI app' }).getAttribute('href');
    expect(link).toContain(`pa=lamp@examplebank&pn=Lamp%20Society&am=${amount}&cu=INR`);
  }
  // The draft keeps it.
  const again = await reopen(page, forms.delegate);
  await expect(again.locator('dl > div').filter({ hasText: 'Note of the payment' }).locator('dd')).toHaveText(code);
});

test('the UTR of a film is optional, explained and kept', async ({ page }) => {
  await page.goto(`${server.url}/form-malayalam`);
  await ready(page);
  const utr = page.getByLabel('UTR of the payment (optional)');
  await expect(page.getByText('12 digits with UPI, 16 characters with NEFT, 22 with RTGS')).toBeVisible();
  await utr.fill('512345678901');
  await page.locator('#field-title_english').fill('A Light');
  const again = await reopen(page, forms.malayalam);
  await expect(again.locator('#field-title_english')).toHaveValue('A Light');
  await expect(again.getByLabel('UTR of the payment (optional)')).toHaveValue('512345678901');
  await again.locator('#field-title_english').fill('Another Light');
  const third = await reopen(again, forms.malayalam);
  await expect(third.getByLabel('UTR of the payment (optional)')).toHaveValue('512345678901');
});

test('a discount code is optional, explained, kept, sent, and on the receipt', async ({ page }) => {
  await page.goto(server.url + forms.delegate.path);
  await ready(page);
  const code = page.getByLabel('Discount code (optional)');
  await expect(code).toHaveAccessibleDescription(/^Pay what you were told with the code/);
  await code.fill('school 25');
  await waitForDraft(page, forms.delegate);
  const again = await reopen(page, forms.delegate);
  await expect(again.getByLabel('Discount code (optional)')).toHaveValue('school 25');
  await fillAll(again, forms.delegate);
  await sendToSuccess(again);
  await expect(again.getByRole('main')).toContainText('school 25');
  expect((await server.submissions('delegate')).at(-1)).toMatchObject({ fee_code: 'school 25', flagged: '' });
});

test('a festival without discount codes asks for none', async ({ page, site }) => {
  await page.goto(`${site.url}/form-malayalam`);
  // It comes together with this field.
  await expect(page.getByLabel('UTR of the payment (optional)')).toBeVisible();
  await expect(page.locator('[name="fee_code"]')).toHaveCount(0);
});

test('without payment details the form says that they will be announced', async ({ page, siteOf }) => {
  const site = await siteOf('hard');
  for (const path of ['/form', '/form-asian', '/form-malayalam']) {
    await page.goto(site.url + path);
    await expect(page.getByText('Payment details will be announced')).toBeVisible();
  }
});

test('an empty form, one with every error and the popup pass automated accessibility checks', async ({ page, watch }) => {
  // Only the server refuses an empty message.
  watch.expect(/status (of )?422/, /^console (error|warning): /);
  for (const form of all) {
    await page.goto(server.url + form.path);
    await ready(page);
    expect((await axe(page).analyze()).violations, form.key).toEqual([]);
    await submitButton(page).click();
    await expect(form.key === 'contact' ? page.getByRole('dialog') : errorToasts(page).last()).toBeVisible();
    expect((await axe(page).analyze()).violations, `${form.key}, nothing filled in`).toEqual([]);
  }
});

test('without JavaScript the form can be read, and it says how to write instead', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${server.url}/form-asian`);
  for (const { name } of forms.asian.fields) await expect(inputOf(page, name)).toBeAttached();
  await expect(page.locator('form noscript > p')).toContainText('Sending this form needs JavaScript');
  await expect(submitButton(page)).toBeDisabled();
  await context.close();
});

test('a file of the wrong type is rejected, whatever its name', async ({ page }) => {
  await page.goto(`${server.url}/form-asian`);
  await ready(page);
  await inputOf(page, 'film_poster').setInputFiles({ name: 'poster.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html>') });
  await expect(page.locator('#field-film_poster-problem')).toContainText('save it as JPEG, PNG or WebP');
});

test('an unusual value is noted at its field and sent at the same click', async ({ page }) => {
  const before = (await server.submissions('film')).length;
  await page.goto(server.url + forms.malayalam.path);
  await ready(page);
  await fillAll(page, forms.malayalam);
  const odd = [
    ['producer_mobile', '98765.43210 (WhatsApp)', 'We read this as +919876543210. If it is right, send it as it is.'],
    ['director_mobile', '987654321', 'We could not read a telephone number here. If it is right, send it as it is.'],
    ['duration_minutes', '1500', 'This is unusual. If it is right, send it as it is.'],
    ['screener_link', 'https://vimeo.com/1 password abc', 'We read this as https://vimeo.com/1. If it is right, send it as it is.'],
    ['stills_link', 'vimeo.com/2', ''],
    ['title_english', 'A\u00a0Light\u200b', ''],
  ] as const;
  for (const [name, value, note] of odd) {
    await inputOf(page, name).fill(value);
    await inputOf(page, name).blur();
    await expect(page.locator(`#field-${name}-note`)).toHaveText(note);
    await expect(inputOf(page, name)).toHaveAttribute('aria-invalid', 'false');
  }
  // The note disappears while typing continues.
  await inputOf(page, 'director_mobile').fill('98765');
  await expect(page.locator('#field-director_mobile-note')).toBeEmpty();
  await sendToSuccess(page);
  const submissions = await server.submissions('film');
  expect(submissions.length).toBe(before + 1);
  expect(submissions.at(-1)).toMatchObject({
    producer_mobile: '98765.43210 (WhatsApp)',
    producer_mobile_read: '+919876543210',
    director_mobile: '98765',
    duration_minutes: 1500,
    screener_link_read: 'https://vimeo.com/1',
    stills_link: 'vimeo.com/2',
    stills_link_read: 'https://vimeo.com/2',
    title_english: 'A Light',
    flagged: 'duration_minutes producer_mobile director_mobile screener_link',
  });
});

test('invisible text counts as empty, and what the server would reject is reported before sending', async ({ page }) => {
  await page.goto(server.url + forms.asian.path);
  await ready(page);
  await fillAll(page, forms.asian);
  let posts = 0;
  page.on('request', (request) => {
    // Uploads of files do not count.
    if (request.method() === 'POST' && request.url().endsWith(forms.asian.api_path)) posts += 1;
  });
  for (const [name, value, message] of [
    ['title_english', '\u200b\u00a0', 'Please fill in title english'],
    ['director_email', 'nobody', 'This is not an e-mail address like name@example.org'],
    ['screener_link', 'javascript:alert(1)', 'Please give a web address, one that begins with https://'],
  ] as const) {
    const right = await inputOf(page, name).inputValue();
    await inputOf(page, name).fill(value);
    await submitButton(page).click();
    await expect(errorToasts(page).last()).toHaveText(message);
    await expect(page.locator(`#field-${name}-problem`)).toHaveText(message);
    await inputOf(page, name).fill(right);
  }
  expect(posts).toBe(0);
});
