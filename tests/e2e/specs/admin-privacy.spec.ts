import { createAccount, openAs } from '../support/admin.ts';
import { faults } from '../support/axe.ts';
import { start } from '../support/program.ts';
import { expect, type Site, test } from '../support/test.ts';

let site: Site;
test.beforeAll(async () => {
  site = await start(process.env.FESTIVAL_TEST_FILLED ? `${process.env.FESTIVAL_TEST_FILLED}/demo` : null);
});
test.afterAll(() => site.stop());

const email = 'asha.writer@example.org';

async function write(): Promise<void> {
  const sent = await fetch(`${site.url}/api/contact/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Asha Writer', email, contact: '+91 98470 11223', message: 'When does it begin?' }),
  });
  expect(sent.status).toBe(200);
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a person is looked up, downloaded and erased', async ({ page }) => {
      await write();
      await openAs(page, site, await createAccount(site, 'owner'));
      await page.goto(`${site.url}/admin/privacy`);
      if (javaScriptEnabled) expect(await faults(page, 390, 1440)).toEqual([]);
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Search' }).click();
      await expect(page.getByText('1 messages')).toBeVisible();
      expect(page.url()).not.toContain('asha');
      if (javaScriptEnabled) expect(await faults(page, 390, 1440)).toEqual([]);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download everything' }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^person-.*\.zip$/);
      await page.getByRole('button', { name: 'Erase this person' }).click();
      await expect(page.getByRole('heading', { name: 'What stays, and why' })).toBeVisible();
      if (javaScriptEnabled) expect(await faults(page, 390, 1440)).toEqual([]);
      await page.getByRole('button', { name: 'Erase this person' }).click();
      await expect(page.getByRole('status')).toContainText('Erased: ');
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Search' }).click();
      await expect(page.getByText('There is no data about this address.')).toBeVisible();
    });
  });
}
