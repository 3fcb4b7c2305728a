import { addressOf, routes } from '../support/routes.ts';
import { watchShifts } from '../support/shifts.ts';
import { expect, open, test } from '../support/test.ts';

// On a weak network the page stands before its typefaces come. What stands in for them until then is as wide and as
// high as they are, so that their coming moves little under the reader's eyes: what Web Vitals call good.
for (const width of [360, 1440]) {
  for (const route of routes) {
    test(`${route.path} keeps still when its typefaces come late, at ${width}`, async ({ page, site, watch }) => {
      if (route.status === 404) watch.expect(/^status 404/, /^console error: Failed to load.*404/);
      await page.route('**/*.woff2', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 800));
        await route.continue();
      });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      const shifts = await watchShifts(page);
      await open(page, await addressOf(route.path, site));
      await page.evaluate(() => document.fonts.ready);
      await page.waitForTimeout(300);
      const { score, moved } = await shifts.seen();
      expect(score, `layout shift: ${moved.join(', ')}`).toBeLessThanOrEqual(0.1);
    });
  }
}
