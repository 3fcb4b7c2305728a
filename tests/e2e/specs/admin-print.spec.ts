import { axe } from '../support/axe.ts';
import { createAccount, openAs } from '../support/admin.ts';
import { expect, test } from '../support/test.ts';

// Printed lists: the rows with their heading, without the controls of the screen.
test('a printed list has its heading and rows, and no controls', async ({ page, site }) => {
  await openAs(page, site, await createAccount(site, 'owner'), '/admin/films');
  await page.emulateMedia({ media: 'print' });
  const rows = page.locator('table.rows tbody tr');
  await expect(page.getByRole('heading', { level: 1, name: 'Films' })).toBeVisible();
  expect(await rows.count()).toBeGreaterThan(5);
  for (const row of await rows.all()) await expect(row.locator('th')).toBeVisible();
  await expect(page.locator('.printed-only')).toBeVisible();
  for (const control of ['.filters', '.selected', '.tick', '.side', '.top', '.quiet-links', '.button']) {
    for (const one of await page.locator(control).all()) await expect(one, control).toBeHidden();
  }
});

for (const [list, name] of [
  ['delegates', 'Door list'],
  ['film-submissions', 'Jury list'],
] as const) {
  test(`the ${name.toLowerCase()} is printed with a heading on every page and nothing of the screen`, async ({ page, site }) => {
    await openAs(page, site, await createAccount(site, 'owner'), `/admin/${list}`);
    // An empty list has nothing to print.
    const link = page.getByRole('link', { name, exact: true });
    if ((await link.count()) > 0) await link.click();
    else await page.goto(`${site.url}/admin/${list}/print`);
    await page.waitForURL(/\/print/);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    expect((await axe(page).analyze()).violations).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    if ((await page.locator('.sheet').count()) > 0) {
      expect(await page.locator('.sheet thead').evaluate((head) => getComputedStyle(head).display)).toBe('table-header-group');
      await expect(page.locator('.sheet-head')).toContainText(name);
    }
    for (const one of await page.locator('.side, .top, .not-printed, .button').all()) await expect(one).toBeHidden();
  });
}
