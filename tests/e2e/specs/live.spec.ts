import { join } from 'node:path';
import { root, start } from '../support/program.ts';
import { expect, leave, open, test } from '../support/test.ts';

test('an imported film list is shown at once, without a restart', async ({ page }) => {
  const site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'));
  try {
    await open(page, `${site.url}/films`);
    await expect(page.getByText('The Ferryman’s Almanac')).toHaveCount(0);
    await site.run('films', 'import', join(root, 'tests/fixtures/e2e/films.csv'));

    // Another process wrote to the database; the server notices within a second.
    await expect
      .poll(async () => (await site.get<{ name: string }[]>('/categories/')).map(({ name }) => name))
      .toContain('Night Ferries');
    const categories = await site.get<{ id: number; name: string }[]>('/categories/');
    const category = categories.find(({ name }) => name === 'Night Ferries');
    await open(page, `${site.url}/films`);
    const card = page.getByRole('link', { name: /The Ferryman’s Almanac/ });
    await card.scrollIntoViewIfNeeded();
    await expect(card).toContainText('Ines Orval');
    await card.click();
    await expect(page.getByRole('dialog')).toContainText('വഞ്ചിക്കാരന്റെ പഞ്ചാംഗം');
    await expect(page.getByRole('dialog')).toContainText('1 h 32 min');
    await page.keyboard.press('Escape');

    await open(page, `${site.url}/films/${category?.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Night Ferries');
    await expect(page.locator('main a[aria-haspopup="dialog"]')).toHaveCount(3);

    await site.run('films', 'import', join(root, 'tests/fixtures/e2e/films.csv'));
    await open(page, `${site.url}/films/${category?.id}`);
    await expect(page.locator('main a[aria-haspopup="dialog"]'), 'twice doubles nothing').toHaveCount(3);
  } finally {
    await leave(page, site);
  }
});
