import { contentOf, readableText } from '../support/content.ts';
import { runningAnimations } from '../support/motion.ts';
import { addressOf, routes } from '../support/routes.ts';
import { expect, follow, open, test } from '../support/test.ts';

test('every page is reached by client-side navigation, starts at its top and shows its content', async ({ page, site, watch }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, `${site.url}/privacy-and-terms`);
  const documents = () => watch.requests.filter(({ kind }) => kind === 'document').length;
  for (const route of routes) {
    // Unknown addresses are handled by the server.
    if (route.status === 404) continue;
    const address = await addressOf(route.path, site);
    // Taller than any page, so that only the site itself can scroll to the top.
    await page.evaluate(() => {
      document.body.style.minHeight = '20000px';
      scrollTo({ top: 9000, behavior: 'instant' });
    });
    expect(await page.evaluate(() => scrollY)).toBe(9000);
    await follow(page, new URL(address).pathname);
    await expect(page).toHaveURL(address);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(route.heading);
    await expect.poll(() => page.evaluate(() => scrollY), `the top of ${route.path}`).toBe(0);
    for (const part of ['banner', 'main', 'contentinfo'] as const) await expect(page.getByRole(part)).toHaveCount(1);
    for (const text of await contentOf(route.path, site)) await expect.soft.poll(() => readableText(page), route.path).toContain(text);
    expect(await page.evaluate(() => scrollY), `still the top of ${route.path}, with its content`).toBe(0);
  }
  expect(documents(), 'the first one, and pages that frame').toBe(1 + routes.filter(({ framing }) => framing).length);
});

test('with reduced motion nothing moves on any page for ten seconds', async ({ page, site }) => {
  page.setDefaultNavigationTimeout(60_000);
  await page.clock.install();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Narrow, so that every carousel has more than it shows.
  await page.setViewportSize({ width: 700, height: 900 });
  /** The positions of all elements in the main content. */
  const places = () =>
    page.evaluate(async () => {
      await document.fonts.ready;
      // Elements in closed containers have no position.
      return [...document.querySelectorAll('main *')].filter((element) => element.checkVisibility()).map((element) => {
        const { x, y } = element.getBoundingClientRect();
        const current = element.hasAttribute('data-current') ? ' current' : '';
        return `${element.tagName}.${element.className}${current} ${Math.round(x)} ${Math.round(y + scrollY)}`;
      });
    });
  for (const { path, status } of routes) {
    if (status === 404) continue;
    await open(page, await addressOf(path, site));
    // Carousels near the window become active.
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight / 3, behavior: 'instant' }));
    await page.clock.runFor(1000);
    // Loading fonts and pictures do not count as motion.
    let before: string[] = [];
    await expect.poll(async () => {
      const earlier = before;
      before = await places();
      return before.length > 0 && before.join() === earlier.join();
    }, { message: path, intervals: [300] }).toBe(true);
    await page.clock.runFor(10_000);
    expect.soft(await places(), path).toEqual(before);
    expect.soft(await runningAnimations(page), path).toEqual([]);
  }
});
