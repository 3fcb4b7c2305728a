import { faults } from '../support/axe.ts';
import { createAccount, code, openAs, password, signIn } from '../support/admin.ts';
import { start } from '../support/program.ts';
import { expect, type Site, test } from '../support/test.ts';

const refused = /status (400|404|422)|console error: Failed to load/;

let site: Site;
test.beforeAll(async () => {
  site = await start(process.env.FESTIVAL_TEST_FILLED ? `${process.env.FESTIVAL_TEST_FILLED}/empty` : null);
});
test.afterAll(() => site.stop());

test('sign-in leads to the requested page, and sign-out ends the session', async ({ page, watch }) => {
  watch.expect(refused);
  const email = await createAccount(site, 'owner');
  await page.goto(`${site.url}/admin/audit?action=add`);
  await expect(page).toHaveURL(/\/admin\/sign-in\?next=/);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText('The e-mail address or the password is wrong.');
  await expect(page.getByLabel('E-mail address')).toHaveValue(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${site.url}/admin/audit?action=add`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('status')).toHaveText('You have been signed out.');
  await page.reload();
  await expect(page.getByRole('status')).toHaveCount(0);
  await page.goto(`${site.url}/admin/`);
  await expect(page).toHaveURL(`${site.url}/admin/sign-in`);
});

test('second factor: set up, required at sign-in, replaced by a recovery code, removed', async ({ page }) => {
  const email = await createAccount(site, 'editor');
  await openAs(page, site, email, '/admin/account');
  await page.getByRole('link', { name: 'Set up second factor' }).click();
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const secret = await page.locator('input[name="secret"]').inputValue();
  expect(await faults(page)).toEqual([]);
  // Each code is accepted until one step after its own, so that slow machines pass: no earlier code is used.
  await page.getByLabel('Code').fill(code(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.locator('.codes code')).toHaveCount(10);
  const recovery = await page.locator('.codes code').allTextContents();
  await page.getByRole('link', { name: 'I have saved the codes' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();

  await signIn(page, email);
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible();
  await page.getByLabel('Code').fill(code(secret, 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: /Good to see you/ })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();

  await signIn(page, email);
  await page.getByLabel('Code').fill(recovery[3] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('status')).toContainText('You have 9 left');
  await page.goto(`${site.url}/admin/account`);
  await page.getByRole('link', { name: 'Remove second factor' }).click();
  await page.getByLabel('Code').fill(recovery[4] ?? '');
  await page.getByRole('button', { name: 'Remove second factor' }).click();
  await expect(page.getByRole('status')).toHaveText('Second factor removed.');
});

test('an invited person chooses a password', async ({ page, browser, watch }) => {
  watch.expect(refused);
  const owner = await createAccount(site, 'owner');
  await openAs(page, site, owner, '/admin/accounts');
  await page.getByRole('link', { name: 'Add account' }).click();
  await page.getByLabel('Name').fill('രവി');
  await page.getByLabel('E-mail address').fill(owner);
  await page.getByRole('radio', { name: /^Desk/ }).check();
  await page.getByRole('button', { name: 'Add account' }).click();
  const ravi = `ravi-${Date.now()}@example.org`;
  await expect(page.locator('#problems')).toBeFocused();
  await page.getByLabel('Name').fill('രവി');
  await page.getByLabel('E-mail address').fill(ravi);
  await page.getByRole('radio', { name: /^Desk/ }).check();
  await page.getByRole('button', { name: 'Add account' }).click();
  const link = await page.getByLabel('Invitation link').inputValue();
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await other.getByLabel('New password').fill('umbrella-projector-mango-9');
  await other.getByLabel('Repeat password').fill('umbrella-projector-mango-9');
  await other.getByRole('button', { name: 'Set password' }).click();
  await expect(other.getByRole('status')).toContainText('Password set.');
  await other.getByLabel('E-mail address').fill(ravi);
  await other.getByLabel('Password').fill('umbrella-projector-mango-9');
  await other.getByRole('button', { name: 'Sign in' }).click();
  await expect(other.getByText('Desk', { exact: true }).first()).toBeVisible();
  await other.context().close();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('sign-in, menu and audit log work without JavaScript', async ({ page }) => {
    await openAs(page, site, await createAccount(site, 'owner'), '/admin/accounts');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('.menu > summary').click();
    await page.locator('.menu').getByRole('link', { name: 'Audit log' }).click();
    await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
    await page.locator('select[name="action"]').selectOption('sign in');
    await page.getByRole('button', { name: 'Filter' }).click();
    await expect(page.locator('tbody tr').first()).toContainText('signed in');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('status')).toHaveText('You have been signed out.');
  });
});

test('the keyboard alone signs in and reaches the navigation', async ({ page }) => {
  const email = await createAccount(site, 'owner');
  await page.goto(`${site.url}/admin/`);
  const to = async (name: string | RegExp, role: 'textbox' | 'link' | 'button' | 'label') => {
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab');
      const target = role === 'label' ? page.getByLabel(name) : page.getByRole(role, { name });
      if (await target.first().evaluate((element) => element === document.activeElement)) return;
    }
    throw new Error(`no way to ${name}`);
  };
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await to('E-mail address', 'label');
  await page.keyboard.insertText(email);
  await to('Password', 'label');
  await page.keyboard.insertText(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /Good to see you/ })).toBeVisible();
  await to('Delegates', 'link');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Delegates', level: 1 })).toBeVisible();
});

test('a link on another site keeps the session', async ({ page, context }) => {
  await openAs(page, site, await createAccount(site, 'owner'));
  await context.route('http://elsewhere.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${site.url}/admin/accounts">go</a>` }),
  );
  const other = await context.newPage();
  await other.goto('http://elsewhere.test/');
  await other.getByRole('link').click();
  await expect(other.getByRole('heading', { name: 'Accounts' })).toBeVisible();
});

test('every page is accessible, wide and narrow', async ({ page, watch }) => {
  watch.expect(refused);
  const email = await createAccount(site, 'owner');
  await page.goto(`${site.url}/admin/sign-in`);
  expect.soft(await faults(page), 'sign in').toEqual([]);
  await signIn(page, email);
  await expect(page.getByRole('heading', { name: /Good to see you/ })).toBeVisible();
  for (const path of ['', 'account', 'accounts', 'accounts/new', 'accounts/1', 'accounts/1/disable', 'audit', 'confirm']) {
    await page.goto(`${site.url}/admin/${path}`);
    expect.soft(await faults(page, 1440, 320), path).toEqual([]);
  }
  // Now the menu of narrow windows is visible.
  expect.soft(await faults(page), 'narrow').toEqual([]);
});
