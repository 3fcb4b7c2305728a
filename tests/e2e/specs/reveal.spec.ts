import { expect, open, type Page, test } from '../support/test.ts';

/** A block of the home page that lies below the window. */
const block = '#venues > div';

interface Sample {
  at: number;
  opacity: number;
  below: number;
}

/** The block's opacity, and how far below its place it is. */
const look = (page: Page) =>
  page.locator(block).evaluate((element) => {
    const { opacity, transform } = getComputedStyle(element);
    return { opacity: Number(opacity), below: new DOMMatrix(transform).m42 };
  });

/** Scrolls so that the block's upper edge stands so many pixels above the window's lower edge. */
const showOf = (page: Page, pixels: number) =>
  page.locator(block).evaluate(
    (element, pixels) => scrollBy({ top: element.getBoundingClientRect().top - innerHeight + pixels, behavior: 'instant' }),
    pixels,
  );

/** Notes how the block stands, frame by frame. */
const record = (page: Page) =>
  page.locator(block).evaluate((element) => {
    const samples: Sample[] = [];
    Object.assign(window, { samples });
    const sample = () => {
      const { opacity, transform } = getComputedStyle(element);
      samples.push({ at: performance.now(), opacity: Number(opacity), below: new DOMMatrix(transform).m42 });
      if (samples.length < 2000) requestAnimationFrame(sample);
    };
    sample();
  });

/** How the block moves, as the browser was told: a busy machine drops frames and cannot be timed to the tenth. */
const transition = (page: Page) =>
  page.locator(block).evaluate((element) => {
    const { transitionDuration, transitionTimingFunction } = getComputedStyle(element);
    return { duration: transitionDuration.split(', ')[0], easing: transitionTimingFunction.split(', ')[0] };
  });

test('a block fades in and rises 60 pixels in 0.7 seconds once it is 100 pixels inside, and again when it comes back', async ({ page, site }) => {
  await open(page, site.url);
  const waits = { opacity: 0, below: 60 };
  for (const time of ['first', 'second']) {
    await expect.poll(() => look(page), `${time}: below the window it waits`).toEqual(waits);
    await showOf(page, 90);
    await page.waitForTimeout(300);
    expect(await look(page), `${time}: too little of it shows`).toEqual(waits);

    await record(page);
    await showOf(page, 110);
    await expect.poll(() => look(page), time).toEqual({ opacity: 1, below: 0 });
    const samples = await page.evaluate(() => (window as unknown as { samples: Sample[] }).samples);
    const start = samples.filter(({ below }) => below === 60).at(-1)?.at ?? 0;
    const end = samples.find(({ at, below, opacity }) => at > start && below === 0 && opacity === 1)?.at ?? 0;
    expect(end - start, 'how long it takes').toBeGreaterThan(600);
    expect(end - start, 'how long it takes').toBeLessThan(3000);
    expect(await transition(page), 'quick at first, slow at last').toEqual({ duration: '0.7s', easing: 'ease-out' });
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  }
});

test('what is in the window from the start never hides', async ({ page, site }) => {
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
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => (window as unknown as { faint: string[] }).faint), path).toEqual([]);
  }
});
