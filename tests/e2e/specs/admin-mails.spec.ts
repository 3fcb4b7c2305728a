import { faults } from '../support/axe.ts';
import { createAccount, openAs } from '../support/admin.ts';
import { start } from '../support/program.ts';
import { expect, type Page, type Site, test } from '../support/test.ts';

let site: Site;
test.beforeAll(async () => {
  site = await start(process.env.FESTIVAL_TEST_FILLED ? `${process.env.FESTIVAL_TEST_FILLED}/demo` : null);
});
test.afterAll(() => site.stop());

/** Sends a message with the contact form. */
async function sendMessage(page: Page, name: string): Promise<void> {
  const data = { name, email: 'visitor@example.org', contact: '+91 98765 43210', message: 'When does it begin?' };
  expect((await page.request.post(`${site.url}/api/contact/`, { data })).status()).toBe(200);
}

const widths = [390, 1440, 1920];

test('the screens of mails and answers have no faults', async ({ page, watch }) => {
  watch.expect(/status (of )?422/);
  await sendMessage(page, 'Visitor One');
  await openAs(page, site, await createAccount(site, 'owner'), '/admin/settings/mails');
  expect(await faults(page, ...widths)).toEqual([]);
  await page.getByRole('link', { name: 'Receipt for a film' }).click();
  expect(await faults(page, ...widths)).toEqual([]);
  await page.getByLabel('Subject').fill('Thank you {{refrence}}');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('alert')).toContainText('Did you mean {{reference}}?');
  expect(await faults(page, ...widths)).toEqual([]);
  await page.goto(`${site.url}/admin/settings/mails/payment-changed`);
  await expect(page.getByRole('main')).toContainText('Nobody can change this text');
  expect(await faults(page, ...widths)).toEqual([]);
  await page.goto(`${site.url}/admin/contact-messages`);
  await page.getByRole('link', { name: 'Visitor One' }).click();
  expect(await faults(page, ...widths)).toEqual([]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a text is previewed with the latest message, saved, sent and given up for the original', async ({ page }) => {
    await openAs(page, site, await createAccount(site, 'owner'), '/admin/settings');
    await sendMessage(page, 'Visitor Two');
    await page.getByRole('link', { name: 'Texts of mails' }).click();
    await page.getByRole('link', { name: 'Receipt for a message' }).click();
    await page.getByLabel('Text', { exact: true }).fill('Hello {{sender}}, we have {{reference}}.');
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('region', { name: 'Preview of the mail' })).toContainText(/Hello Visitor Two, we have CM-\d+-\d+\./);
    await page.getByRole('button', { name: 'Save' }).last().click();
    await expect(page.getByRole('status')).toHaveText('Receipt for a message saved.');
    await page.getByRole('button', { name: 'Use the original text again' }).click();
    await expect(page.getByRole('status')).toHaveText('The original text is used again.');
    await expect(page.getByLabel('Text', { exact: true })).toHaveValue(/we have received your message/);
  });

  test('a message is answered and shows the answer', async ({ page }) => {
    await sendMessage(page, 'Visitor Three');
    await openAs(page, site, await createAccount(site, 'desk'), '/admin/contact-messages');
    await page.getByRole('link', { name: 'Visitor Three' }).click();
    const answer = page.getByLabel('Answer');
    await expect(answer).toHaveValue(/^Dear Visitor Three,/);
    await answer.fill('Dear Visitor Three,\n\non 24 October, at six.');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await expect(page.getByRole('status')).toContainText('the answer is on its way to visitor@example.org.');
    await expect(page.getByRole('main')).toContainText('on 24 October, at six.');
    await expect(page.getByRole('heading', { name: /answered/ })).toBeVisible();
  });
});
