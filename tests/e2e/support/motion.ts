import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Scrolls to the end of the page and back, so that pictures load, carousels become active and blocks are revealed. A
 * visible picture that does not load fails the test by its name.
 */
export async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    // Browsers do not load lazy pictures that are clipped by an ancestor, such as other slides of a carousel.
    const isSeen = (image: HTMLImageElement) => {
      if (!image.checkVisibility()) return false;
      let { top, bottom, left, right } = image.getBoundingClientRect();
      [top, left, bottom, right] = [Math.max(top, 0), Math.max(left, 0), Math.min(bottom, innerHeight), Math.min(right, innerWidth)];
      for (let box = image.parentElement; box && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box);
        const edge = box.getBoundingClientRect();
        if (overflowX !== 'visible') [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        if (overflowY !== 'visible') [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      return bottom > top && right > left;
    };
    const missing = () => [...document.images].filter((image) => !image.complete && isSeen(image));
    // The server scales pictures on the first request, so the first test of a page waits for all of them.
    const limit = performance.now() + 90_000;
    const failAtLimit = (what: () => string) => {
      if (performance.now() > limit) throw new Error(`${what()} at ${scrollY} of ${location.pathname}`);
    };

    while (document.fonts.status === 'loading') {
      await frame();
      failAtLimit(() => 'a typeface did not come');
    }
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' });
      await frame();
      while (missing().length > 0) {
        await frame();
        failAtLimit(() => `did not come: ${missing().map(({ src }) => src)}`);
      }
      await frame();
      failAtLimit(() => `${document.documentElement.scrollHeight} pixels were too long a way`);
    }
    scrollTo({ top: 0, behavior: 'instant' });
    await frame();
    await frame();
  });
}

/** Running animations and videos. */
export function runningAnimations(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => `animation of ${(effect as KeyframeEffect).target?.className}`),
    ...[...document.querySelectorAll('video')].filter(({ paused }) => !paused).map(({ src }) => `film ${src}`),
  ]);
}

/** Waits until an element moves horizontally. */
export async function expectMoving(track: Locator): Promise<void> {
  const place = () => track.evaluate((element) => element.getBoundingClientRect().x);
  const before = await place();
  await expect.poll(place, 'it moves').not.toBe(before);
}

/** Waits until an element stands still, to a hundredth of a pixel. */
export async function expectStill(track: Locator): Promise<void> {
  const moved = () =>
    track.evaluate(async (element) => {
      const before = element.getBoundingClientRect();
      await new Promise((done) => setTimeout(done, 300));
      const { x, y } = element.getBoundingClientRect();
      return Math.round(Math.hypot(x - before.x, y - before.y) * 100);
    });
  await expect.poll(moved, 'it rests').toBe(0);
  expect(await moved(), 'it still rests').toBe(0);
}

/** An animation started by `Element.animate`. */
export interface Movement {
  /** The element's class, and the dialog, timer, header or footer that it is in. */
  of: string;
  inside: string;
  text: string;
  property: string;
  from: string;
  to: string;
  duration: number;
  delay: number;
  easing: string;
}

/**
 * Records the parameters of every `Element.animate` call: on a busy machine frames are dropped, so that animations cannot
 * be timed. Call it before opening the page.
 */
export async function recordMovements(page: Page): Promise<{ seen: () => Promise<Movement[]>; forget: () => Promise<void> }> {
  await page.addInitScript(() => {
    const seen: unknown[] = [];
    Object.assign(window, { movements: seen });
    const animate = Element.prototype.animate;
    Element.prototype.animate = function noted(keyframes, options) {
      const { duration, delay, easing } = { delay: 0, easing: 'linear', ...(options as KeyframeEffectOptions) };
      for (const [property, values] of Object.entries(keyframes ?? {})) {
        if (!Array.isArray(values)) continue;
        seen.push({
          of: this.className,
          inside: this.closest('dialog, [role="timer"], header, footer, [role="alert"], main')?.localName ?? '',
          text: this.textContent?.slice(0, 40),
          property,
          from: String(values[0]),
          to: String(values.at(-1)),
          duration,
          delay,
          easing,
        });
      }
      return animate.call(this, keyframes, options);
    };
  });
  return {
    seen: () => page.evaluate(() => (window as unknown as { movements: Movement[] }).movements),
    forget: () => page.evaluate(() => void ((window as unknown as { movements: Movement[] }).movements.length = 0)),
  };
}

/** Waits until the animation code has loaded. */
export async function motionReady(page: Page): Promise<void> {
  await expect(page.locator('[data-motion="ready"]')).toBeAttached();
}
