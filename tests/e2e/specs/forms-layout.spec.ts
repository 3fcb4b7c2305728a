import type { Locator } from '@playwright/test';
import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { texts } from '../../../frontend/src/shared/api/generated/forms.ts';
import { contentsOf, errorToasts, fill, inputOf, ready, submitButton, initialContents } from '../support/forms.ts';
import { type FormsServer, startFormsServer } from '../support/forms-server.ts';
import { paymentOf, readCode } from '../support/qr.ts';
import { expect, type Page, test } from '../support/test.ts';
import { FORM_FAILURE } from '../support/watch.ts';

let server: FormsServer;
test.beforeAll(async () => {
  server = await startFormsServer({
    FESTIVAL_PAYMENT__BANK__ACCOUNT_NAME: 'Lamp Society',
    FESTIVAL_PAYMENT__BANK__ACCOUNT_NUMBER: '"00112233"',
    FESTIVAL_PAYMENT__BANK__BANK: 'Example Bank',
    FESTIVAL_PAYMENT__BANK__BRANCH: 'Landing',
    FESTIVAL_PAYMENT__BANK__IFSC: 'EXMP0000001',
    FESTIVAL_PAYMENT__UPI__ID: 'lamp@examplebank',
    FESTIVAL_PAYMENT__UPI__PAYEE: 'Lamp Society',
  });
});
test.afterAll(() => server.stop());

const films = [forms.asian, forms.indian, forms.malayalam];
const successToast = (page: Page) => page.locator('body > div > [role="status"] > p');

/** Expects a ring in the button that is seen and turns without end. */
async function expectSpinner(button: Locator) {
  const spinner = button.locator('[aria-hidden="true"]');
  await expect(spinner, 'a spinner').toHaveCount(1);
  const box = await spinner.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0), 'large enough to be seen').toBeGreaterThanOrEqual(12);
  const turns = await spinner.evaluate((element) =>
    element.getAnimations().map(({ playState, effect }) => {
      const frames = effect instanceof KeyframeEffect ? effect.getKeyframes() : [];
      const end = frames.at(-1) as { rotate?: string; transform?: string } | undefined;
      return [playState, effect?.getTiming().iterations, end?.rotate ?? end?.transform];
    }),
  );
  expect(turns, 'it turns').toEqual([['running', Number.POSITIVE_INFINITY, expect.stringMatching(/(1turn|360deg)/)]]);
}

test('the texts and times of the forms are those of the specification', () => {
  expect(texts).toMatchObject({
    submit: 'Submit Form',
    submitting: 'Submitting...',
    submitted: 'Submitted',
    success: 'Form submitted successfully!',
    failure: 'Error submitting form!',
    contact_success: 'Message sent successfully!',
    contact_failure: 'Failed to send message. Please try again.',
    toast_ms: 3000,
    redirect_ms: 1500,
  });
});

for (const [key, title, lead, fee, note] of [
  [
    'asian',
    'Film submission: Asian Cinema',
    'For the awards to a debut Asian film and a debut Asian director.',
    '5000 rupees or 60 dollars',
    'Pay the entry fee first, then add a screenshot of the payment.',
  ],
  ['indian', 'Film submission: Indian Cinema', 'For the award to a debut Indian film in any language, and for the Indian Panorama.', '5000 rupees', 'Pay the entry fee first, then add a screenshot of the payment.'],
  ['malayalam', 'Film submission: Malayalam Cinema', 'For the award to a debut Malayalam film: a director\'s first or second film.', '5000 rupees', 'Pay the entry fee with the QR code or to the UPI ID, then upload the payment screenshot.'],
] as const) {
  test(`${key}: a header about the award, deadline and fee, and five sections in order`, async ({ page }) => {
    await page.goto(`${server.url}/form-${key}`);
    await ready(page);
    const main = page.getByRole('main');
    expect(await main.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    await expect(main.getByText(lead, { exact: true })).toBeVisible();
    const fact = (name: string) => main.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) }).locator('dd');
    await expect(fact('Entry fee')).toHaveText(fee);
    await expect(fact('Last Date for Submission')).toHaveText(/^\d{1,2} [A-Z][a-z]+ \d{4}$/);
    const sections = main.locator('form').getByRole('heading', { level: 2 });
    await expect(sections).toHaveText([/^1 Film Details/, /^2 Producer\/Director Details/, /^3 Film Information/, /^4 Declaration/, /^5 Payment Verification/]);

    const payment = main.getByRole('region', { name: /^5 Payment Verification/ });
    await expect(payment.getByText(fee, { exact: true })).toBeVisible();
    if (key !== 'asian') await expect(main).not.toContainText('dollars');
    await expect(payment.locator('dl > div').filter({ has: page.getByText('UPI ID', { exact: true }) }).locator('dd')).toHaveText('lamp@examplebank');
    await expect(payment.getByRole('img', { name: 'QR code: pay 5000 rupees to lamp@examplebank', exact: true })).toBeVisible();
    const download = page.waitForEvent('download');
    await payment.getByRole('link', { name: 'Download the QR code' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.png$/);
    expect(paymentOf(await readCode(page, await download))).toEqual({
      pa: 'lamp@examplebank',
      pn: 'Lamp Society',
      am: '5000',
      cu: 'INR',
      tn: expect.stringMatching(new RegExp(`^[2-9A-HJKMNP-Z]{6} Entry fee, ${key} film$`)),
    });
    await expect(payment).toContainText(note);
  });
}

test('delegate: bank transfer, UPI, and the categories with their fees', async ({ page }) => {
  await page.goto(server.url + forms.delegate.path);
  await ready(page);
  const main = page.getByRole('main');
  for (const [name, value] of [
    ['Account name', 'Lamp Society'],
    ['Account number', '00112233'],
    ['Bank', 'Example Bank'],
    ['Branch', 'Landing'],
    ['IFSC', 'EXMP0000001'],
    ['UPI ID', 'lamp@examplebank'],
  ]) {
    const entry = main.locator('dl > div').filter({ has: page.getByText(name ?? '', { exact: true }) }).first();
    await expect(entry.locator('dd')).toHaveText(value ?? '');
  }
  const choices = main.getByRole('radiogroup', { name: /category/i });
  await expect(choices.locator('label')).toHaveText(['Membership₹2,000', '20th Velicham Delegate₹1,300', 'Student Delegate₹500', 'Institutional Member₹25,000', 'Life Membership₹10,000']);
  await choices.getByRole('radio').nth(1).check();
  await choices.getByRole('radio').nth(3).check();
  await expect(choices.getByRole('radio', { checked: true })).toHaveCount(1);
});

test('the delegate form is called DELEGATE / MEMBER FORM, with name and year of the festival', async ({ page, siteOf }) => {
  await page.goto(`${(await siteOf('exact')).url}/form`);
  await ready(page);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('DELEGATE / MEMBER FORM - Velicham 2025');
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName('DELEGATE / MEMBER FORM - Velicham 2025');
});

test('inputs are of the kinds that the specification names', async ({ page }) => {
  const kinds = async (path: string) => {
    await page.goto(server.url + path);
    await ready(page);
    return page.locator('form [name]').evaluateAll((all) => Object.fromEntries(all.map((input) => [(input as HTMLInputElement).name, (input as HTMLInputElement).type])));
  };
  expect(await kinds('/form')).toMatchObject({ email: 'email', mobile: 'tel', age: 'number', category: 'radio', signature: 'file', screenshot: 'file', image: 'file' });
  expect(await kinds('/contact-us')).toMatchObject({ email: 'email' });
  await page.goto(`${server.url}/form`);
  for (const name of ['signature', 'screenshot', 'image']) await expect(inputOf(page, name), name).toHaveAttribute('accept', /^image\/(?!.*pdf)/);
  for (const { path } of films) {
    expect(await kinds(path)).toMatchObject({
      producer_email: 'email',
      director_email: 'email',
      correspondence_email: 'email',
      producer_mobile: 'tel',
      director_mobile: 'tel',
      correspondence_contact: 'tel',
      screener_link: 'url',
      stills_link: 'url',
      duration_minutes: 'number',
      year_of_production: 'number',
      subtitles: 'radio',
      film_type: 'select-one',
      is_first_or_second_feature: 'select-one',
    });
    await expect(inputOf(page, 'presentation_format')).toHaveValue('DCP');
    await expect(inputOf(page, 'screener_link_password')).toHaveValue('');
    for (const name of ['film_poster', 'director_photo', 'signature', 'screenshot']) await expect(inputOf(page, name)).toHaveAttribute('accept', /^image\/(?!.*pdf)/);
    for (const name of ['producer_consent', 'documentation']) await expect(inputOf(page, name)).toHaveAttribute('accept', /image\/.*pdf|pdf.*image\//);
  }
});

test('hints: the password, the limits in words, the 5 MB, DCP', async ({ page }) => {
  for (const form of films) {
    await page.goto(server.url + form.path);
    await ready(page);
    const label = (name: string) => page.locator(`label[for="field-${name}"]`);
    await expect(label('screener_link_password')).toHaveText(/\(NO is set if there is none\)$/);
    await expect(inputOf(page, 'screener_link_password')).toHaveAttribute('placeholder', 'Leave it empty if there is none');
    for (const [name, text] of [
      ['biography', /Biography of the director \(up to 200 words\)$/],
      ['synopsis_long', /Long synopsis \(up to 300 words\)$/],
      ['synopsis_short', /Short synopsis \(up to 100 words\)$/],
      ['film_poster', /\(less than 5 MB\)$/],
      ['director_photo', /\(less than 5 MB\)$/],
      ['producer_consent', /\(less than 5 MB\)$/],
      ['documentation', /\(less than 5 MB\)$/],
      ['signature', /\(less than 5 MB\)$/],
      ['screenshot', /\(less than 5 MB\)$/],
    ] as const)
      await expect(label(name)).toHaveText(text);
    await expect(page.locator('#field-presentation_format-hint')).toHaveText(/Films are shown from DCP only\.$/);
    await expect(page.locator('form'), 'each field states its limit once').not.toContainText('up to 5 MB');
  }
});

test('the choices of first or second feature are those of each award', async ({ page }) => {
  for (const [path, choices] of [
    ['/form-asian', ['First', 'Second', 'No']],
    ['/form-indian', ['First', 'Second', 'Indian Panorama']],
    ['/form-malayalam', ['First Film', 'Second Film', 'No']],
  ] as const) {
    await page.goto(server.url + path);
    await ready(page);
    // The first option is the prompt and has no value.
    const options = (name: string) => inputOf(page, name).locator('option:not([value=""])');
    await expect(options('is_first_or_second_feature')).toHaveText([...choices]);
    await expect(options('film_type')).toHaveText(['Fiction', 'Experimental', 'Documentary', 'Short Film', 'Feature Film', 'Others']);
    await expect(page.locator('[role="radiogroup"]:has(#field-subtitles) label')).toHaveText(['Yes', 'No']);
  }
});

for (const form of [forms.delegate, ...films]) {
  test(`${form.key}: editing, submitting, an error and back, submitted, and on after 1.5 s; the toast goes after 3 s`, async ({ page, watch }) => {
    watch.expect(/status (of )?500/);
    await page.clock.install();
    let status = 500;
    let arrived: (answer: () => void) => void = () => {};
    /** Resolves when the next submission arrives, to a function that responds to it. */
    const sending = () =>
      new Promise<() => void>((done) => {
        arrived = done;
      });
    await page.route(`**/api${form.api_path}`, async (route) => {
      await new Promise<void>((answer) => arrived(answer));
      await route.fulfill({ status, json: status === 500 ? { error: 'out of order' } : { id: 1, reference: 'XX-1', message: 'Form submitted successfully!' } });
    });
    await page.goto(server.url + form.path);
    await ready(page);
    // All fields, including optional ones and those with a default.
    for (const field of form.fields) await fill(page, field);
    const filled = await contentsOf(page, form);
    for (const [name, value] of Object.entries(filled)) expect(value, name).not.toBe(initialContents(form)[name]);
    const button = submitButton(page);
    await expect(button).toHaveText('Submit Form');
    await expect(button.locator('[aria-hidden="true"]'), 'neither spinner nor tick').toHaveCount(0);

    let sent = sending();
    await button.click();
    await expect(button).toHaveText('Submitting...');
    await expect(button).toBeDisabled();
    await expectSpinner(button);
    (await sent)();
    await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
    await expect(button).toHaveText('Submit Form');
    await expect(button).toBeEnabled();
    await expect(button).toBeFocused();
    expect(watch.noted(FORM_FAILURE), 'the failure is logged').toBe(true);
    expect(await contentsOf(page, form), 'fields and files are kept').toEqual(filled);

    // From here on the test controls the clock.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    status = 201;
    sent = sending();
    await button.click();
    await expect(button).toHaveText('Submitting...');
    (await sent)();
    await expect(button).toHaveText('Submitted');
    await expect(button).toBeDisabled();
    await expect(button.locator('[aria-hidden="true"]'), 'a tick, and no spinner').toHaveCount(1);
    await expect(button.locator('svg[aria-hidden="true"]'), 'a tick').toBeVisible();
    await expect(successToast(page)).toHaveText('Form submitted successfully!');
    const box = await successToast(page).boundingBox();
    expect(box?.y, 'at the top').toBeLessThan(200);
    expect((box?.x ?? 0) + (box?.width ?? 0), 'on the right').toBeGreaterThan(1440 - 60);
    await expect.poll(() => contentsOf(page, form), 'fields and files are cleared').toEqual(initialContents(form));

    await page.clock.runFor(1400);
    await expect(page).toHaveURL(server.url + form.path);
    await page.clock.runFor(150);
    await expect(page).toHaveURL(`${server.url}/success`);
    await page.clock.runFor(1300);
    await expect(successToast(page)).toHaveCount(1);
    await page.clock.runFor(200);
    await expect(successToast(page)).toHaveCount(0);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Form Submitted Successfully');
    await expect(main).toContainText('Thank you! Your submission has been received.');
    await expect(main).toContainText('XX-1');
    await expect(main.getByRole('link', { name: 'Go Home', exact: true })).toHaveAttribute('href', '/');
  });
}

test('contact: the server’s success text or our own, and the fields are cleared', async ({ page }) => {
  for (const [response, expected] of [
    [{ message: 'The office will write back.', success: 'The office will write back.' }, 'The office will write back.'],
    [{}, 'Message sent successfully!'],
  ] as const) {
    await page.route('**/api/contact/', (route) => route.fulfill({ json: response }));
    await page.goto(`${server.url}/contact-us`);
    await ready(page);
    for (const field of forms.contact.fields) await fill(page, field);
    await submitButton(page).click();
    await expect(page.getByRole('dialog')).toContainText(expected);
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    for (const { name } of forms.contact.fields) await expect(inputOf(page, name)).toHaveValue('');
    await page.unroute('**/api/contact/');
  }
});
