import { addressOf, routes } from '../support/routes.ts';
import { watchShifts } from '../support/shifts.ts';
import { expect, follow, open, test } from '../support/test.ts';

for (const width of [360, 1440]) {
  test(`no layout shift at ${width} while a page’s data load`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 800 });
    const shifts = await watchShifts(page);
    for (const { path, status, framing } of routes) {
      if (status === 404 || framing || path === '/success') continue;
      const address = await addressOf(path, site);
      await open(page, `${site.url}/success`);
      await shifts.restart();
      const waiting: (() => void)[] = [];
      let held = true;
      await page.route('**/api/**', async (route) => {
        if (held) await new Promise<void>((done) => waiting.push(done));
        await route.continue();
      });
      await follow(page, new URL(address).pathname);
      await expect(page).toHaveURL(address);
      const footer = page.getByRole('contentinfo');
      await expect(footer, `${path} is on its way`).not.toBeInViewport();
      // Responses arrive one after another, as on a slow network.
      held = false;
      for (const release of waiting) {
        release();
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      }
      // Blocks far below the window load later.
      const loading = () =>
        page.evaluate(
          () =>
            [...document.querySelectorAll<HTMLElement>('main [role="status"]')].filter(
              (status) => status.innerText.startsWith('Loading') && status.getBoundingClientRect().top < innerHeight,
            ).length,
        );
      await expect.poll(loading, path).toBe(0);
      await page.evaluate(() => document.fonts.ready);
      const { score, moved } = await shifts.seen();
      expect.soft(score, `${path}: ${moved.join(', ')}`).toBeLessThan(0.02);
      await page.unroute('**/api/**');
    }
  });
}
