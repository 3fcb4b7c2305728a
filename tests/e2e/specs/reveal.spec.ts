import { motionReady, recordMovements } from '../support/motion.ts';
import { expect, open, type Page, test } from '../support/test.ts';

/** A block of the home page below the viewport. */
const block = '#venues > div';

/** The block's opacity and vertical offset. */
const look = (page: Page) =>
  page.locator(block).evaluate((element) => {
    const { opacity, transform } = getComputedStyle(element);
    return { opacity: Number(opacity), below: new DOMMatrix(transform).m42 };
  });

/** Scrolls until the block's upper edge is this number of pixels above the viewport's lower edge. */
const showOf = (page: Page, pixels: number) =>
  page.locator(block).evaluate(
    (element, pixels) => scrollBy({ top: element.getBoundingClientRect().top - innerHeight + pixels, behavior: 'instant' }),
    pixels,
  );

test('a block fades in and rises 60 pixels in 0.7 seconds once it is 100 pixels inside, and again when it comes back', async ({ page, site }) => {
  const movements = await recordMovements(page);
  await open(page, site.url);
  await motionReady(page);
  const waits = { opacity: 0, below: 60 };
  const risen = async () =>
    (await movements.seen())
      .filter(({ text }) => text.startsWith('Venue'))
      .map(({ property, from, to, duration, easing }) => `${property}: ${from} to ${to}, ${duration} ms, ${easing}`)
      .sort();
  for (const time of ['first', 'second']) {
    await expect.poll(() => look(page), `${time}: below the window it waits`).toEqual(waits);
    await showOf(page, 90);
    await page.waitForTimeout(300);
    expect(await look(page), `${time}: too little of it shows`).toEqual(waits);
    await movements.forget();
    await showOf(page, 110);
    await expect.poll(() => look(page), time).toEqual({ opacity: 1, below: 0 });
    expect(await risen(), 'quick at first, slow at last').toEqual([
      'opacity: 0 to 1, 700 ms, ease-out',
      'transform: translateY(60px) to translateY(0px), 700 ms, ease-out',
    ]);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  }
});

test('content in the viewport from the start is never hidden', async ({ page, site }) => {
  await page.addInitScript(() => {
    const faint: string[] = [];
    Object.assign(window, { faint });
    const check = () => {
      for (const element of document.querySelectorAll('main *')) {
        const { top, bottom } = element.getBoundingClientRect();
        if (bottom > 0 && top < innerHeight - 110 && getComputedStyle(element).opacity === '0' && element.querySelector('h1, h2, p'))
          faint.push(String(element.className));
      }
      requestAnimationFrame(check);
    };
    requestAnimationFrame(check);
  });
  for (const path of ['/', '/history', '/about-us']) {
    await open(page, site.url + path);
    await motionReady(page);
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => (window as unknown as { faint: string[] }).faint), path).toEqual([]);
  }
});
