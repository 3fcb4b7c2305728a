import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { fill, fillAll, ready, sendToSuccess, submitButton } from '../support/forms.ts';
import { type FormsServer, startFormsServer } from '../support/forms-server.ts';
import { expect, test } from '../support/test.ts';

/** A server that allows one form in ten minutes. */
let server: FormsServer;
test.beforeAll(async () => {
  server = await startFormsServer({ FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES: '1' });
});
test.afterAll(() => server.stop());

const working = 'Many forms came from your connection.';

test('many people behind one address: the browser solves the proof of work, and the forms arrive', async ({ page, watch }) => {
  watch.expect(/status (of )?429/);
  await page.goto(`${server.url}/form`);
  for (const occupation of ['Teacher', 'Boatman', 'Projectionist']) {
    await ready(page);
    await fillAll(page, forms.delegate);
    await page.locator('#field-occupation').fill(occupation);
    await page.locator('#field-transaction_details').fill(`UTR ${occupation}`);
    await sendToSuccess(page);
    await page.goto(`${server.url}/form`);
  }
  expect((await server.submissions('delegate')).map(({ occupation }) => occupation)).toEqual(
    expect.arrayContaining(['Teacher', 'Boatman', 'Projectionist']),
  );
  const solved = watch.requests.filter(({ url }) => url.endsWith('/delegate-form/'));
  expect(solved.length, 'each after the first was sent twice').toBeGreaterThanOrEqual(5);
});

test('the proof of work is announced and can be stopped', async ({ page, watch }) => {
  watch.expect(/status (of )?429/, /^console (error|warning): /);
  // This challenge has no solution.
  const challenge = { salt: 'contact_messages.0.00', hash: 'f'.repeat(64), max_number: 2 ** 31, signature: '00' };
  await page.route('**/api/contact/', (route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, json: { error: 'Too many forms.', code: 'too_many_requests', challenge } }),
  );
  await page.goto(`${server.url}/contact-us`);
  await ready(page);
  for (const field of forms.contact.fields) await fill(page, field);
  await submitButton(page).click();
  await expect(page.getByText(working)).toBeVisible();
  await page.getByRole('button', { name: 'Stop sending' }).click();
  await expect(page.getByText(working)).toHaveCount(0);
  await expect(page.locator('#field-message')).not.toHaveValue('');
});

test('without Web Crypto the form waits as long as the server says', async ({ page, watch }) => {
  watch.expect(/status (of )?429/, /^console (error|warning): /);
  await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
  await page.request.post(`${server.url}/api/contact/`, { data: { message: 'The one form of these ten minutes' } });
  await page.goto(`${server.url}/contact-us`);
  await ready(page);
  for (const field of forms.contact.fields) await fill(page, field);
  await submitButton(page).click();
  await expect(page.getByText('Yours is sent again by itself.')).toBeVisible();
  await expect(page.getByText(/^Next time in /)).toBeVisible();
  await page.getByRole('button', { name: 'Stop sending' }).click();
  await expect(page.getByText('Yours is sent again by itself.')).toHaveCount(0);
});
