import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { missing } from '../../../frontend/src/shared/api/form-problems.ts';
import { checkTexts } from '../../../frontend/src/shared/api/generated/form-checks.ts';
import { extraFields } from '../../../frontend/src/shared/api/generated/forms.ts';
import { errorToasts, fill, fillAll, inputOf, ready, sendToSuccess, submitButton } from '../support/forms.ts';
import { type FormsServer, startFormsServer } from '../support/forms-server.ts';
import { expect, test } from '../support/test.ts';

let server: FormsServer;
test.beforeAll(async () => {
  server = await startFormsServer();
});
test.afterAll(() => server.stop());

const titles = ['What we keep', 'What for', 'How long', 'Your rights', 'Whom to ask', 'Complaints'];

for (const form of Object.values(forms)) {
  test(`${form.key}: an itemised notice with an unticked box is above the button`, async ({ page }) => {
    await page.goto(server.url + form.path);
    await ready(page);
    const notice = page.getByRole('region', { name: 'Your personal data' });
    await expect(notice.locator('dt')).toHaveText(titles);
    await expect(notice.getByText('Data Protection Board of India')).toBeVisible();
    await expect(notice.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/);
    await expect(inputOf(page, extraFields.consent)).not.toBeChecked();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
}

test('without consent nothing is sent; with it version and time are stored', async ({ page, watch }) => {
  await page.goto(`${server.url}/form`);
  await ready(page);
  for (const field of forms.delegate.fields) if (field.required) await fill(page, field);
  const last = forms.delegate.fields.filter(({ required }) => required).at(-1)?.name ?? '';
  await page.getByRole('button', { name: /^Remove Signature/ }).click();
  await submitButton(page).click();
  // Fields required by the specification are checked first.
  await expect(errorToasts(page).last()).toHaveText(missing(last));
  for (const field of forms.delegate.fields) if (field.name === last) await fill(page, field);
  await submitButton(page).click();
  await expect(errorToasts(page).last()).toHaveText(checkTexts.consent_missing);
  const box = inputOf(page, extraFields.consent);
  await expect(box).toBeFocused();
  await expect(box).toHaveAccessibleDescription(checkTexts.consent_missing);
  expect(watch.requests.filter(({ url }) => url.endsWith('/delegate-form/')), 'nothing is sent').toEqual([]);
  await page.keyboard.press('Space');
  await expect(page.locator(`#field-${extraFields.consent}-problem`)).toHaveCount(0);
  await sendToSuccess(page);
  const rules = await (await page.request.get(`${server.url}/api/forms/`)).json();
  const { version } = rules.notices.find((notice: { forms: string[] }) => notice.forms.includes('delegate'));
  const submission = (await server.submissions('delegate')).at(-1);
  expect(submission).toMatchObject({ consent_notice: version });
  expect(submission?.consented_at).toBeTruthy();
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
