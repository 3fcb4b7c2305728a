import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run, temporaryFolder, start } from '../support/program.ts';
import { events } from '../support/seeds.ts';
import { expect, leave, test } from '../support/test.ts';

test('no text of the hostile collection runs in a blog', async ({ page, watch }) => {
  // Missing pictures are requested; nothing else may happen.
  watch.expect(/404/);
  const payloads = (await readFile(join(root, 'tests/fixtures/hostile-html.txt'), 'utf8')).split('\n====\n');
  expect(payloads.length).toBeGreaterThan(100);
  const blogs = payloads.map(
    (payload, index) =>
      `[[blogs]]\ntitle = "Text ${index}"\ncontent = ${JSON.stringify(`${payload}\n<p>It ends.</p>`)}\npublished_at = 2025-01-02T00:00:00+05:30\n`,
  );
  const data = await temporaryFolder();
  const seed = join(data, 'hostile.toml');
  await writeFile(seed, `${events(0)}\n${blogs.join('\n')}`);
  await run(data, ['seed', seed]);
  const site = await start(data);
  try {
    const stored = await site.get<{ id: number; title: string }[]>('/blogs/');
    expect(stored.length).toBe(payloads.length);
    for (const { id, title } of stored) {
      await page.goto(`${site.url}/blog/${id}`);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
      const article = page.locator('main');
      // Trigger handlers that need interaction: focus and clicks on links.
      for (const link of await article.locator('a[href^="javascript" i], a[href^="data" i], a[href^="vbscript" i]').all()) {
        await link.click({ noWaitAfter: true });
      }
      await page.keyboard.press('Tab');
      const found = await page.evaluate(() => ({
        ran: (window as { ran?: number }).ran,
        embedded: document.querySelectorAll('main :is(iframe, frame, object, embed, form[action^="javascript"], base, meta)').length,
      }));
      expect(found, `${title}: ${payloads[Number(title.slice(5))]}`).toEqual({ ran: undefined, embedded: 0 });
    }
  } finally {
    await leave(page, site);
    await rm(data, { recursive: true, force: true });
  }
});
