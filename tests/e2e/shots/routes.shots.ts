import { join } from 'node:path';
import { addressOf, routes } from '../support/routes.ts';
import { hydrated, test } from '../support/test.ts';

const folder = join(import.meta.dirname, '../output');

/** Whole pages, for people to judge: every route, with the demonstration and with hard data. */
for (const data of ['demo', 'hard'] as const) {
  for (const width of [360, 768, 1440]) {
    for (const route of routes) {
      test(`${data} ${width} ${route.path}`, async ({ page, siteOf, watch }) => {
        watch.expect(/./);
        const site = await siteOf(data);
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(await addressOf(route.path, site));
        await hydrated(page);
        // Pictures load when they scroll into view.
        await page.evaluate(async () => {
          for (let y = 0; y < document.body.scrollHeight; y += 600) {
            scrollTo(0, y);
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            // A picture outside the window or hidden never loads.
            const seen = [...document.images].filter((image) => {
              const { top, bottom, left, right } = image.getBoundingClientRect();
              return image.checkVisibility() && top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
            });
            const late = new Promise((done) => setTimeout(done, 5000));
            await Promise.race([late, Promise.all(seen.map((image) => image.decode().catch(() => {})))]);
          }
          scrollTo(0, 0);
        });
        const name = route.path === '/' ? 'home' : route.path.slice(1).replaceAll(/[^a-z0-9-]+/g, '-');
        await page.screenshot({ path: join(folder, `${data}-${width}`, `${name}.png`), fullPage: true });
      });
    }
  }
}
