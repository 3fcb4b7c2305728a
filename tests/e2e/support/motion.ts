import { expect, type Locator, type Page } from '@playwright/test';

/** Scrolls to the page's end and back, so that pictures load, carousels wake up and blocks reveal themselves. */
export async function walkDown(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const isSeen = (image: HTMLImageElement) => {
      const { top, bottom, left, right } = image.getBoundingClientRect();
      return image.checkVisibility() && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    };
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' });
      await frame();
      const end = performance.now() + 5000;
      while ([...document.images].some((image) => isSeen(image) && !image.complete) && performance.now() < end) await frame();
      await frame();
    }
    scrollTo({ top: 0, behavior: 'instant' });
    await frame();
    await frame();
  });
}

/** What is under way on the page: animations, films. */
export function moving(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => `animation of ${(effect as KeyframeEffect).target?.className}`),
    ...[...document.querySelectorAll('video')].filter(({ paused }) => !paused).map(({ src }) => `film ${src}`),
  ]);
}

/** Waits until something is on its way across the window. */
export async function expectRunning(track: Locator): Promise<void> {
  const place = () => track.evaluate((element) => element.getBoundingClientRect().x);
  const before = await place();
  await expect.poll(place, 'it moves').not.toBe(before);
}

/** Waits until something stands still, and goes on standing still. */
export async function expectResting(track: Locator): Promise<void> {
  const moved = () =>
    track.evaluate(async (element) => {
      const before = element.getBoundingClientRect().x;
      await new Promise((done) => setTimeout(done, 300));
      return element.getBoundingClientRect().x - before;
    });
  await expect.poll(moved, 'it rests').toBe(0);
  expect(await moved(), 'it still rests').toBe(0);
}
