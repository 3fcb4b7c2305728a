import { createAccount, openAs } from '../support/admin.ts';
import { axe } from '../support/axe.ts';
import { start } from '../support/program.ts';
import { expect, type Page, type Site, test } from '../support/test.ts';

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

/** Accessibility violations and horizontal overflow, at phone and desktop width. */
async function faults(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const { violations } = await axe(page).analyze();
    found.push(...violations.map(({ id, nodes }) => `${width} ${id}: ${nodes[0]?.html}`));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) found.push(`${width}: ${wide} px too wide`);
    if (process.env.FESTIVAL_TEST_SHOTS) {
      await page.screenshot({ path: `${process.env.FESTIVAL_TEST_SHOTS}/${name}-${width}.png`, fullPage: true });
    }
  }
  return found;
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a person is looked up, downloaded and erased', async ({ page }) => {
      await write();
      await openAs(page, site, await createAccount(site, 'owner'));
      await page.goto(`${site.url}/admin/privacy`);
      if (javaScriptEnabled) expect(await faults(page, 'privacy')).toEqual([]);
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Search' }).click();
      await expect(page.getByText('1 messages')).toBeVisible();
      expect(page.url()).not.toContain('asha');
      if (javaScriptEnabled) expect(await faults(page, 'privacy-person')).toEqual([]);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download everything' }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^person-.*\.zip$/);
      await page.getByRole('button', { name: 'Erase this person' }).click();
      await expect(page.getByRole('heading', { name: 'What stays, and why' })).toBeVisible();
      if (javaScriptEnabled) expect(await faults(page, 'privacy-erase')).toEqual([]);
      await page.getByRole('button', { name: 'Erase this person' }).click();
      await expect(page.getByRole('status')).toContainText('Erased: ');
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Search' }).click();
      await expect(page.getByText('There is no data about this address.')).toBeVisible();
    });
  });
}
