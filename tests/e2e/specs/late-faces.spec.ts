import { addressOf, routes } from '../support/routes.ts';
import { watchShifts } from '../support/shifts.ts';
import { alive, expect, test } from '../support/test.ts';

// On a weak network the page stands before its typefaces come. What stands in for them until then is as wide and as
// high as they are, so that their coming moves little under the reader’s eyes.
for (const width of [360, 1440]) {
  test(`every page keeps still when its typefaces come late, at ${width}`, async ({ page, site, watch }) => {
    test.slow();
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
      // A page is not loaded while one of its typefaces is on its way; it stands and is alive by then.
      await page.goto(await addressOf(route.path, site), { waitUntil: 'domcontentloaded' });
      await alive(page);
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
