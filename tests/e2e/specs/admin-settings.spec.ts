import { faults } from '../support/axe.ts';
import { createAccount, openAs } from '../support/admin.ts';
import { start } from '../support/program.ts';
import { expect, type Page, type Site, test } from '../support/test.ts';

let site: Site;
test.beforeAll(async () => {
  site = await start(process.env.FESTIVAL_TEST_FILLED ? `${process.env.FESTIVAL_TEST_FILLED}/demo` : null);
});
test.afterAll(() => site.stop());

async function changeStudentFee(page: Page, amount: string) {
  await page.goto(`${site.url}/admin/settings`);
  await page.getByRole('link', { name: 'Fees' }).click();
  const row = page.getByRole('group', { name: 'Delegates and members, row 3' });
  await expect(row.getByLabel('Category')).toHaveValue('Student Delegate');
  await row.getByLabel('Fee in rupees').fill(amount);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toHaveText('Fees saved.');
  await expect(row.getByLabel('Fee in rupees')).toHaveValue(amount);
}

test('a changed fee is shown in the form', async ({ page }) => {
  await openAs(page, site, await createAccount(site, 'owner'));
  await changeStudentFee(page, '740');
  await page.goto(`${site.url}/form`);
  await expect(page.getByText('₹740').first()).toBeVisible();
});

/** The HTML of a page as sent by the server. */
async function html(page: Page, path: string): Promise<string> {
  return (await page.request.get(site.url + path)).text();
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a changed fee is charged, and the old one is restored from the history', async ({ page }) => {
    await openAs(page, site, await createAccount(site, 'owner'));
    await changeStudentFee(page, '760');
    expect(await html(page, '/form')).toContain('₹760');
    await page.goto(`${site.url}/admin/settings/fees`);
    await page.getByRole('main').getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Restore this version' }).last().click();
    await expect(page.getByRole('status')).toContainText('Restored the version of');
    expect(await html(page, '/form')).toContain('₹500');
  });

  test('a link is added to the footer and moved up', async ({ page }) => {
    await openAs(page, site, await createAccount(site, 'editor'), '/admin/settings/social');
    const last = page.getByRole('group', { name: 'Links, a new row' });
    await last.getByLabel('Text').fill('Pictures');
    await last.getByLabel('Address').fill('https://pictures.example/velicham');
    await page.getByRole('button', { name: 'Add row' }).click();
    await page.getByRole('button', { name: 'Up row 4' }).click();
    await expect(page.getByRole('group', { name: 'Links, row 3' }).getByLabel('Text')).toHaveValue('Pictures');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('status')).toContainText('saved.');
    expect(await html(page, '/')).toContain('href="https://pictures.example/velicham"');
  });
});

test('changed payment details are confirmed with the QR code that people scan', async ({ page }) => {
  await openAs(page, site, await createAccount(site, 'owner'), '/admin/settings/payment');
  await page.getByLabel('UPI ID').fill('lamp@okbank');
  await page.getByLabel("Payee's name in UPI").fill('Lamp Society');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Confirm the payment details' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code for ₹5,000 to lamp@okbank' })).toBeVisible();
  expect(await faults(page, 1440, 320)).toEqual([]);
  const shown = async () => (await site.get<{ payment: { upi: { id: string } } }>('/site/')).payment.upi.id;
  expect(await shown(), 'not before it was looked at').toBe('do-not-pay@example');
  await page.getByRole('button', { name: 'Save and notify owners' }).click();
  await expect(page.getByRole('status')).toContainText('Every owner will be notified by mail.');
  await page.goto(`${site.url}/form-asian`);
  await expect(page.getByText('lamp@okbank').first()).toBeVisible();
  expect(await site.run('mail', 'list', '--all')).toContain('payment-notice');
});

test('every page is accessible, wide and narrow', async ({ page }) => {
  await openAs(page, site, await createAccount(site, 'owner'));
  const groups = ['fees', 'payment', 'menus', 'social', 'contact', 'closing', 'fees/history'];
  for (const path of ['', 'settings', ...groups.map((group) => `settings/${group}`)]) {
    await page.goto(`${site.url}/admin/${path}`);
    expect.soft(await faults(page, 1440, 320), path).toEqual([]);
  }
});
