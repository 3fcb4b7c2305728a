import { join } from 'node:path';
import { createAccount, openAs, shortcut } from '../support/admin.ts';
import { axe } from '../support/axe.ts';
import { start } from '../support/program.ts';
import { expect, type Site, test } from '../support/test.ts';

// Navigating the back office with the keyboard alone.

let site: Site;
let editor: string;
test.beforeAll(async () => {
  site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'));
  editor = await createAccount(site, 'editor');
});
test.afterAll(() => site.stop());

test('a slash searches, Ctrl+S saves and stays', async ({ page }) => {
  await openAs(page, site, editor);
  await shortcut(page, '/');
  await expect(page.locator('.side .find input')).toBeFocused();
  await page.keyboard.type('rain road');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Search', level: 1 })).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole('link', { name: /^The Rain Road/ }).first().click();
  const year = page.getByLabel('Year');
  await year.fill('2024');
  // In a field a slash is a slash, and saving works from there.
  await page.getByLabel('Country').focus();
  await page.keyboard.press('End');
  await page.keyboard.type('/Nepal');
  await shortcut(page, 'Control+s');
  await expect(page.getByRole('status').first()).toContainText('saved.');
  await expect(year).toHaveValue('2024');
  await expect(page.getByLabel('Country')).toHaveValue(/\/Nepal$/);
});
