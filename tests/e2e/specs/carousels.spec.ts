import { keepAnimationFrames, settled } from '../support/frames.ts';
import type { Locator } from '@playwright/test';
import { addressOf } from '../support/routes.ts';
import { expect, open, type Page, test } from '../support/test.ts';

/** Every automatic carousel: its page, its label, and the time between moves in milliseconds. */
const carousels = [
  { path: '/films', label: null, delay: 3000 },
  { path: '/', label: 'Posters', delay: 2000 },
  { path: '/', label: 'Daily events', delay: 2000 },
  { path: '/', label: 'Venues', delay: 2000 },
  // Three venues rotate in a wide window, too.
  { path: '/', label: 'Venues', delay: 2000, width: 1440 },
  { path: '/twenty-{slug}', label: 'Photographs', delay: 2000 },
  { path: '/isff-2025', label: 'Photographs', delay: 2000 },
] as const;

function carouselOf(page: Page, label: string | null): Locator {
  const name = label ? `[aria-label="${label}"]` : '';
  return page.locator(`[aria-roledescription="carousel"]${name}`).first();
}

/** How many slides fit into the frame, as a fraction. */
function room(carousel: Locator): Promise<number> {
  return carousel.evaluate((element) => {
    const frame = element.querySelector('ul')?.parentElement?.getBoundingClientRect();
    const slide = element.querySelector('li')?.getBoundingClientRect();
    return (frame?.width ?? 0) / (slide?.width ?? 1);
  });
}

/** Waits until the carousel is active, with the mouse elsewhere. */
async function ready(page: Page, carousel: Locator) {
  await carousel.scrollIntoViewIfNeeded();
  await expect(carousel.getByRole('button', { name: /^Next/ })).toBeVisible();
  await page.mouse.move(0, 0);
}

/** The indices of the slides that are entirely in view, from the left. */
function shown(carousel: Locator): Promise<number[]> {
  return carousel.evaluate((element) => {
    const frame = element.querySelector('ul')?.parentElement?.getBoundingClientRect();
    if (!frame) return [];
    return [...element.querySelectorAll('li')]
      .map((slide, index) => ({ index, box: slide.getBoundingClientRect() }))
      .filter(({ box }) => box.left >= frame.left - 6 && box.right <= frame.right + 6)
      .sort((one, other) => one.box.left - other.box.left)
      .map(({ index }) => index);
  });
}

for (const { what, path, label, widths } of [
  { what: 'films', path: '/films', label: null, widths: [[1440, 4], [1025, 4], [1024, 3], [769, 3], [768, 1], [360, 1]] },
  { what: 'posters', path: '/', label: 'Posters', widths: [[1440, 4], [1025, 4], [1024, 3], [769, 3], [768, 2], [481, 2], [480, 1]] },
  { what: 'pictures of the patron’s page', path: '/twenty-{slug}', label: 'Photographs', widths: [[1440, 3], [769, 3], [768, 1]] },
] as { what: string; path: string; label: string | null; widths: [number, number][] }[]) {
  test(`as many ${what} are in view as the window has room for`, async ({ page, site }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page, await addressOf(path, site));
    const carousel = carouselOf(page, label);
    await ready(page, carousel);
    for (const [width, count] of widths) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => shown(carousel), `in view at ${width}`).toEqual([0, 1, 2, 3].slice(0, count));
      expect(await room(carousel), `room at ${width}`).toBeCloseTo(count, 1);
    }
  });
}

for (const { path, label, delay, ...at } of carousels) {
  // Narrow, so that every carousel has more than it shows.
  const { width = 700 } = at as { width?: number };
  test.describe(`${width} px`, () => {
    test(`${label ?? 'Films'} on ${path}: a move every ${delay / 1000} s, and what stops it`, async ({ page, site }) => {
      await keepAnimationFrames(page);
      await page.clock.install();
      await page.setViewportSize({ width, height: 900 });
      await open(page, await addressOf(path, site));
      const carousel = carouselOf(page, label);
      await ready(page, carousel);
      const count = await carousel.locator('li').count();
      const first = async () => (await shown(carousel))[0];
      const afterAMove = async () => {
        await page.clock.runFor(1900);
        return first();
      };
      const rest = () => settled(page);

      await carousel.hover();
      await rest();
      await page.clock.pauseAt(Date.now() + 3_600_000);
      const start = await first();
      await page.clock.runFor(5 * delay);
      expect(await first(), 'a hovered carousel rests').toBe(start);

      // The timer restarts when the mouse leaves.
      await page.mouse.move(0, 0);
      await rest();
      await page.clock.runFor(delay - 100);
      expect(await first(), 'not before its time').toBe(start);
      await page.clock.runFor(150);
      await carousel.hover();
      await rest();
      const moved = await afterAMove();
      expect(moved, 'one move').toBe(((start ?? 0) + 1) % count);

      await page.mouse.move(0, 0);
      await carousel.getByRole('button', { name: /^Next/ }).focus();
      await rest();
      await page.clock.runFor(5 * delay);
      expect(await first(), 'with the focus in it, it rests').toBe(moved);

      await carousel.getByRole('button', { name: /^Pause/ }).click();
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.mouse.move(0, 0);
      await rest();
      await page.clock.runFor(5 * delay);
      expect(await first(), 'paused, it rests').toBe(moved);

      await carousel.getByRole('button', { name: /^Play/ }).click();
      await page.mouse.move(0, 0);
      await rest();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await rest();
      await page.clock.runFor(5 * delay);
      expect(await first(), 'with reduced motion it rests').toBe(moved);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await rest();
      await page.clock.runFor(delay + 50);
      await carousel.hover();
      await rest();
      expect(await afterAMove(), 'and goes on').toBe(((moved ?? 0) + 1) % count);
    });
  });
}

for (const { path, label } of carousels.filter((carousel) => !('width' in carousel))) {
  test(`${label ?? 'Films'} on ${path}: the carousel runs round`, async ({ page, site }) => {
    // Only the buttons move it.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 700, height: 900 });
    await open(page, await addressOf(path, site));
    const carousel = carouselOf(page, label);
    await ready(page, carousel);
    const count = await carousel.locator('li').count();
    const next = carousel.getByRole('button', { name: /^Next/ });
    await next.focus();
    for (let move = 1; move <= count; move++) {
      await next.press('Enter');
      await expect.poll(async () => (await shown(carousel))[0]).toBe(move % count);
      const picture = carousel.locator('li').nth(move % count).locator('img');
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), 'its picture').toBeGreaterThan(0);
    }
    await carousel.getByRole('button', { name: /^Previous/ }).press('Enter');
    await expect.poll(async () => (await shown(carousel))[0]).toBe(count - 1);
  });
}

for (const block of ['guests', 'namesakes']) {
  test(`the portraits of #${block} change every two seconds`, async ({ page, site }) => {
    await keepAnimationFrames(page);
    await page.clock.install();
    await open(page, site.url);
    const portraits = page.locator(`#${block} ul`).first().locator('> li');
    const count = await portraits.count();
    expect(count).toBe(4);
    await page.locator(`#${block}`).scrollIntoViewIfNeeded();
    await portraits.first().locator('..').hover();
    await settled(page);
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const current = () =>
      portraits.evaluateAll((all) => all.map((one, index) => (one.hasAttribute('data-current') ? index : -1)).filter((i) => i >= 0));
    const start = (await current())[0] ?? 0;
    await page.clock.runFor(10_000);
    expect(await current(), 'hovered, it rests').toEqual([start]);
    await page.mouse.move(0, 0);
    await settled(page);
    for (let turn = 1; turn <= count; turn++) {
      await page.clock.runFor(1900);
      expect(await current()).toEqual([(start + turn - 1) % count]);
      await page.clock.runFor(100);
      await expect.poll(current).toEqual([(start + turn) % count]);
    }
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await settled(page);
    await page.clock.runFor(10_000);
    expect(await current()).toEqual([start]);
  });
}

test('reduced motion: nothing moves by itself anywhere on the home page', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, site.url);
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 400) {
      scrollTo(0, y);
      await new Promise((done) => setTimeout(done, 30));
    }
    scrollTo(0, 0);
  });
  const running = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => animation.playState === 'running')
      .map((animation) => (animation.effect as KeyframeEffect).target?.className),
  );
  expect(running).toEqual([]);
  await expect(page.locator('video')).toHaveCount(0);
});
