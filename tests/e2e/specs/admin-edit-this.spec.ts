import { join } from 'node:path';
import { createAccount, openAs } from '../support/admin.ts';
import { axe } from '../support/axe.ts';
import { start } from '../support/program.ts';
import { expect, type Site, test } from '../support/test.ts';

// "Edit this page" on the site, for those who are signed in to the back office.

let site: Site;
let editor: string;
test.beforeAll(async () => {
  site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'));
  editor = await createAccount(site, 'editor');
});
test.afterAll(() => site.stop());

test('signed-in editors can open the form of a page of the site, and visitors see no link to it', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  const link = page.getByRole('link', { name: 'Edit this page' });
  await page.goto(`${site.url}/blogs`);
  await expect(page.locator('html')).not.toHaveAttribute('data-unpainted');
  await page.getByRole('link', { name: /^Read More/ }).first().click();
  await page.waitForURL(/\/blog\/\d+$/);
  await expect(link).toHaveCount(0);
  expect(scripts.filter((address) => address.includes('edit-this'))).toEqual([]);

  await openAs(page, site, editor);
  await page.goto(`${site.url}/blogs`);
  await expect(link).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  // Within the site, pages change without a reload.
  await page.getByRole('link', { name: /^Read More/ }).first().click();
  await page.waitForURL(/\/blog\/\d+$/);
  const id = new URL(page.url()).pathname.split('/').pop();
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.url}/admin/blogs/${id}`);
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(/\/admin\/sign-in/);
  await page.goto(`${site.url}/blogs`);
  await expect(page.locator('html')).not.toHaveAttribute('data-unpainted');
  await expect(link).toHaveCount(0);
});
