import type { Page } from '@playwright/test';

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
