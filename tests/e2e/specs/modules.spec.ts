import { addressOf, routes } from '../support/routes.ts';
import { expect, modules, open, switchedOff, test } from '../support/test.ts';

for (const module of modules) {
  test(`without ${module}: its pages and links are gone, the rest is unaffected`, async ({
    page,
    request,
    siteOf,
  }) => {
    const site = await siteOf(`without-${module}`);
    const whole = await siteOf('demo');
    const gone = new Set<string>();
    for (const route of routes.filter(({ status }) => status !== 404)) {
      // Ids are equal to those of the whole site: the data are the same.
      const path = new URL(await addressOf(route.path, whole)).pathname;
      const answer = await request.get(site.url + path);
      const expected = route.module && switchedOff(module).includes(route.module) ? 404 : 200;
      expect(answer.status(), path).toBe(expected);
      if (expected === 404) gone.add(path);
    }
    expect(gone.size).toBeGreaterThan(0);

    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await open(page, site.url);
      const links = await page.locator('a[href]').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
      for (const link of links) expect(gone.has(link), `${link} on the home page`).toBe(false);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('contentinfo')).toBeVisible();
    }
    // Every remaining link leads to a page.
    const left = await page.locator('a[href^="/"]').evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute('href') ?? ''))]);
    for (const path of left) expect((await request.get(site.url + path)).status(), path).toBe(200);

    const blocks = { festivals: '#venues', films: '#categories', content: null, forms: '#delegates', magazines: null };
    for (const [owner, block] of Object.entries(blocks)) {
      if (block) await expect(page.locator(block)).toHaveCount(owner === module ? 0 : 1);
    }
  });
}
