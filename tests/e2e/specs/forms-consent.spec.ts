import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { errorToasts, fill, fillAll, inputOf, ready, sendToSuccess, submitButton } from '../support/forms.ts';
import { type FormsServer, startFormsServer } from '../support/forms-server.ts';
import { expect, leave, type Page, test } from '../support/test.ts';

let server: FormsServer;
test.beforeAll(async () => {
  server = await startFormsServer();
});
test.afterAll(() => server.stop());

const titles = ['What we keep', 'What for', 'How long', 'Your rights', 'Whom to ask', 'Complaints'];

for (const form of Object.values(forms)) {
  test(`${form.key}: an itemised notice stands in the form, and beside the button the sentence that sending is agreeing`, async ({ page }) => {
    await page.goto(server.url + form.path);
    await ready(page);
    const notice = page.getByRole('region', { name: 'Your personal data' });
    await expect(notice.locator('dt')).toHaveText(titles);
    await expect(notice.getByText('Data Protection Board of India')).toBeVisible();
    await expect(notice.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/);
    await expect(page.getByText('By sending this form you agree to this notice on your personal data.')).toBeVisible();
    await page.getByRole('link', { name: 'this notice on your personal data' }).click();
    await expect(notice.getByText('Your personal data', { exact: true })).toBeInViewport();
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
}

/** The version of the delegates' notice, and what is stored of the last registration. */
async function consentOf(page: Page, site: FormsServer) {
  const rules = await (await page.request.get(`${site.url}/api/forms/`)).json();
  const { version } = rules.notices.find((notice: { forms: string[] }) => notice.forms.includes('delegate'));
  return { version, stored: (await site.submissions('delegate')).at(-1) };
}

test('sending is agreeing: version and time of the notice are stored, and no tick is asked for', async ({ page }) => {
  await page.goto(`${server.url}/form`);
  await ready(page);
  await fillAll(page, forms.delegate);
  await sendToSuccess(page);
  const { version, stored } = await consentOf(page, server);
  expect(version).toMatch(/^[0-9a-f]{12}$/);
  expect(stored).toMatchObject({ consent_notice: version, consented_at: expect.stringMatching(/^\d{4}-/) });
});

test('with the setting "tick" a box is asked for, after everything that the specification requires', async ({ page, watch }) => {
  const site = await startFormsServer({ FESTIVAL_MODULES__FORMS__CONSENT: 'tick' });
  await page.goto(`${site.url}/form`);
  await ready(page);
  await expect(page.getByText('By sending this form you agree')).toHaveCount(0);
  await fillAll(page, forms.delegate);
  await page.getByRole('button', { name: /^Remove Signature/ }).click();
  await submitButton(page).click();
  await expect(errorToasts(page).last()).toHaveText('Please fill in signature');
  for (const field of forms.delegate.fields) if (field.name === 'signature') await fill(page, field);
  await submitButton(page).click();
  const message = 'Please read the notice on personal data and tick the box below it';
  await expect(errorToasts(page).last()).toHaveText(message);
  const box = page.getByRole('checkbox', { name: 'I have read this notice and agree to it.' });
  await expect(box).toBeFocused();
  await expect(box).toHaveAccessibleDescription(message);
  expect(watch.requests.filter(({ url }) => url.endsWith('/delegate-form/')), 'nothing is sent').toEqual([]);
  await page.keyboard.press('Space');
  await expect(page.getByText(message)).toHaveCount(0);
  await sendToSuccess(page);
  const { version, stored } = await consentOf(page, site);
  expect(stored).toMatchObject({ consent_notice: version, consented_at: expect.stringMatching(/^\d{4}-/) });
  await leave(page, site);
});

test('the contact form asks for nothing but the form of an e-mail address', async ({ page, watch }) => {
  watch.expect(/status (of )?422/, /^console (error|warning): /);
  await page.goto(`${server.url}/contact-us`);
  await ready(page);
  await inputOf(page, 'email').fill('nobody');
  await submitButton(page).click();
  await expect(page.locator('#field-email-problem')).toHaveText('This is not an e-mail address like name@example.org');
  expect(watch.requests.filter(({ url }) => url.endsWith('/contact/'))).toEqual([]);
  await inputOf(page, 'email').fill('');
  // The server refuses a message that is wholly empty.
  await submitButton(page).click();
  await expect(page.getByRole('dialog')).toContainText('Please fill in message');
  await page.getByRole('button', { name: 'OK' }).click();
  // Nobody can type behind the message while it fades.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await inputOf(page, 'name').fill('Somebody');
  await submitButton(page).click();
  await expect(page.getByRole('dialog')).toContainText('Message sent successfully!');
});

test('visitors under 18 are told whom a parent has to write to, and can still send', async ({ page }) => {
  await page.goto(`${server.url}/form`);
  await ready(page);
  await fillAll(page, forms.delegate);
  // Different from the registrations of the other tests.
  await inputOf(page, 'transaction_details').fill('UTR of somebody young');
  const age = inputOf(page, 'age');
  await age.fill('17');
  await age.blur();
  const note = page.locator('#field-age-note');
  await expect(note).toContainText('a parent or guardian has to agree');
  await expect(note).toContainText('@');
  await age.fill('18');
  await age.blur();
  await expect(note).toBeEmpty();
  await age.fill('17');
  await sendToSuccess(page);
  expect((await server.submissions('delegate')).at(-1)).toMatchObject({ age: 17, flagged: 'age' });
});
