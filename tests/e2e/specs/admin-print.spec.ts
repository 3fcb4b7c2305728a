import { createAccount, openAs } from '../support/admin.ts';
import { expect, test } from '../support/test.ts';

// What comes out of the printer: the rows with their heading, without what works the screen.
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
