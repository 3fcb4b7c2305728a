import { addressOf, routes } from '../support/routes.ts';
import { watchShifts } from '../support/shifts.ts';
import { hydrated, expect, test } from '../support/test.ts';

// On a slow network the page is rendered before its web fonts arrive. The fallback fonts have the same metrics, so
// that loading the web fonts shifts the layout only slightly.
for (const width of [360, 1440]) {
  test(`late web fonts cause no layout shift at ${width}`, async ({ page, site, watch }) => {
    watch.expect(/^status 404/, /^console error: Failed to load.*404/);
    let release = () => {};
    let held = Promise.resolve();
    await page.route('**/*.woff2', async (route) => {
      await held;
      await route.continue();
    });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    const shifts = await watchShifts(page);
    for (const route of routes) {
      held = new Promise((done) => {
        release = done;
      });
      // The load event waits for fonts; the page is rendered and hydrated before.
      await page.goto(await addressOf(route.path, site), { waitUntil: 'domcontentloaded' });
      await hydrated(page);
      const painted = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await painted();
      const waiting = await page.evaluate(() => document.fonts.status);
      expect(waiting, `${route.path} without its typefaces`).toBe('loading');
      release();
      await page.waitForLoadState();
      await page.evaluate(() => document.fonts.ready);
      await painted();
      const { score, moved } = await shifts.seen();
      expect.soft(score, `layout shift on ${route.path}: ${moved.join(', ')}`).toBeLessThanOrEqual(0.05);
    }
  });
}
