import type { Locator } from '@playwright/test';
import { motionReady, recordMovements } from '../support/motion.ts';
import { expect, follow, holdRequests, hydrated, open, type Page, test } from '../support/test.ts';

/** The scripts with the animations. */
const FEATURES = /\/assets\/(features|drag-features|hero-scroll)-/;

const firstCard = (page: Page) => page.locator('main a[aria-haspopup="dialog"]').first();

/** Opens a category's page and scrolls to its first film. */
async function openCategory(page: Page, site: { url: string; get<T>(path: string): Promise<T> }) {
  const [category] = await site.get<{ id: number }[]>('/categories/');
  await open(page, `${site.url}/films/${category?.id}`);
}

/** Hovers over a link, then clicks it. */
async function go(page: Page, path: string) {
  const link = page.locator(`footer a[href="${path}"]`).first();
  await link.dispatchEvent('pointerover');
  await link.evaluate((link) => (link as HTMLElement).click());
}

test('animation code loads after the page, and the HTML has no inline styles', async ({ page, request, site, watch }) => {
  for (const path of ['/', '/films', '/team', '/contact-us']) {
    const html = await (await request.get(site.url + path)).text();
    expect(html, path).not.toMatch(/<[^>]*\sstyle=/);
    expect(html, path).not.toMatch(FEATURES);
  }
  let loaded = false;
  const early: string[] = [];
  page.on('load', () => {
    loaded = true;
  });
  page.on('request', (request) => {
    if (!loaded && FEATURES.test(request.url())) early.push(request.url());
  });
  await open(page, site.url);
  await motionReady(page);
  expect(early).toEqual([]);
  expect(watch.requests.some(({ url }) => FEATURES.test(url))).toBe(true);
});

for (const without of ['with reduced motion', 'without the animation code'] as const) {
  test(`${without} nothing moves, and everything works`, async ({ page, site, watch }) => {
    if (without === 'without the animation code') {
      watch.expect(/ERR_FAILED/, /Failed to fetch dynamically imported module/);
      await page.route(FEATURES, (route) => route.abort());
    } else await page.emulateMedia({ reducedMotion: 'reduce' });
    const movements = await recordMovements(page);
    await page.setViewportSize({ width: 700, height: 900 });

    await openCategory(page, site);
    await firstCard(page).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.locator('h2')).toBeVisible();
    expect(await dialog.locator('h2').evaluate((element) => element.checkVisibility({ opacityProperty: true }))).toBe(true);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);

    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);

    await go(page, '/contact-us');
    await expect(page).toHaveURL(`${site.url}/contact-us`);
    await page.locator('#field-email').fill('nobody');
    await page.locator('main form button[type="submit"]').click();
    const toast = page.locator('[role="alert"] p').filter({ hasText: /./ }).first();
    await expect(toast).toBeVisible();
    await toast.click();
    await go(page, '/films');
    await expect(page.locator('main h2').first()).toBeAttached();
    await page.locator('footer').scrollIntoViewIfNeeded();
    for (const block of await page.locator('main section > div').all())
      expect(await block.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
    expect(await movements.seen()).toEqual([]);
    if (without === 'with reduced motion') expect(watch.requests.filter(({ url }) => FEATURES.test(url))).toEqual([]);
  });
}

test.describe('from page to page', () => {
  /** The beam's events in their order. */
  const wiped = async (movements: Awaited<ReturnType<typeof recordMovements>>) =>
    (await movements.seen()).filter(({ of }) => of.includes('beam'));

  test('the beam wipes in less than 0.6 seconds, and the next page is there behind it', async ({ page, site }) => {
    const movements = await recordMovements(page);
    await open(page, `${site.url}/history`);
    await motionReady(page);
    await go(page, '/team');
    await expect(page).toHaveURL(`${site.url}/team`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Team');
    await expect(page.locator('[data-phase]'), 'the beam has passed').toHaveCount(0);
    const seen = await wiped(movements);
    expect(seen.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'translateX(-100%) translateX(0%)',
      'translateX(0%) translateX(100%)',
    ]);
    expect(seen.reduce((sum, { duration, delay }) => sum + duration + delay, 0)).toBeLessThan(600);
    await expect(page.locator('#content')).toBeFocused();
  });

  test('the beam does not wipe while data load, when a film opens, or on Back', async ({ page, site }) => {
    const movements = await recordMovements(page);
    const release = await holdRequests(page, '**/api/team/');
    await open(page, `${site.url}/history`);
    await motionReady(page);
    await go(page, '/team');
    await expect(page, 'the page does not wait for its data for ever').toHaveURL(`${site.url}/team`);
    release();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Team');
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('History');
    await openCategory(page, site);
    await motionReady(page);
    await firstCard(page).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await wiped(movements)).toEqual([]);
  });

  test('of two links clicked in a row the second wins', async ({ page, site }) => {
    await open(page, `${site.url}/history`);
    await motionReady(page);
    await follow(page, '/team');
    await follow(page, '/films');
    await expect(page).toHaveURL(`${site.url}/films`);
    await expect(page.locator('[data-phase]')).toHaveCount(0);
    await expect(page).toHaveURL(`${site.url}/films`);
  });
});

test('a poster grows out of its card and shrinks back into it; the rest fades', async ({ page, site }) => {
  const movements = await recordMovements(page);
  await openCategory(page, site);
  await motionReady(page);
  const card = firstCard(page);
  await card.scrollIntoViewIfNeeded();
  const place = await card.locator('> :first-child').boundingBox();
  await movements.forget();
  await card.click();
  const poster = page.getByRole('dialog').locator('article img').first();
  await expect(poster).toBeVisible();
  const grown = async () => (await movements.seen()).filter(({ of, property }) => of.includes('poster') && property === 'transform');
  await expect.poll(async () => (await grown()).length).toBe(1);
  const end = 'translate(0px, 0px) scale(1)';
  expect((await grown())[0]?.to).toBe(end);
  await expect.poll(() => poster.evaluate((image) => getComputedStyle(image.parentElement as Element).transform)).toBe('none');
  const own = await poster.boundingBox();
  // It starts from the poster of the card.
  const [, x, y, scale] = /translate\((.*)px, (.*)px\) scale\((.*)\)/.exec((await grown())[0]?.from ?? '') ?? [];
  expect(Number(x) + (own?.x ?? 0)).toBeCloseTo(place?.x ?? 0, 0);
  expect(Number(y) + (own?.y ?? 0)).toBeCloseTo(place?.y ?? 0, 0);
  expect(Number(scale) * (own?.width ?? 0)).toBeCloseTo(place?.width ?? 0, 0);

  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect((await grown()).map(({ from, to }) => [from, to])[1]).toEqual([end, (await grown())[0]?.from]);
  await expect(card, 'the focus is back').toBeFocused();
});

test('opening a film does not load the pictures of the list again', async ({ page, site }) => {
  await openCategory(page, site);
  const loadingAttributes = () =>
    page.locator('main a[aria-haspopup="dialog"] img').evaluateAll((images) => images.map((image) => `${image.getAttribute('loading')} ${image.getAttribute('sizes')}`));
  const before = await loadingAttributes();
  expect(before[0]).toMatch(/^eager /);
  await firstCard(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await loadingAttributes()).toEqual(before);
});

test('the hero’s beam opens gradually', async ({ page, site }) => {
  await page.goto(site.url, { waitUntil: 'commit' });
  const opening = await page.locator('#content section').first().evaluate((hero) => {
    const stage = hero.firstElementChild as HTMLElement;
    // From its start, however long the page took to load.
    stage.style.display = 'none';
    stage.getBoundingClientRect();
    stage.style.display = '';
    const [beam] = stage.getAnimations();
    beam?.pause();
    return [0, 200, 400, 800].map((time) => {
      if (beam) beam.currentTime = time;
      return Number(/[\d.]+%\)$/.exec(getComputedStyle(stage).clipPath)?.[0].slice(0, -2));
    });
  });
  expect(opening[0]).toBe(0);
  for (const [at, share] of opening.entries()) {
    if (at > 0) expect(share, `${opening}`).toBeGreaterThan(opening[at - 1] ?? 0);
    expect(share).toBeLessThan(100);
  }
});

test.describe('with a finger', () => {
  test.use({ viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true });

  /** Drags an element down by this number of pixels, slowly. */
  async function pull(page: Page, grip: Locator, by: number) {
    const box = await grip.boundingBox();
    const x = (box?.x ?? 0) + (box?.width ?? 0) / 2;
    const y = (box?.y ?? 0) + (box?.height ?? 0) / 2;
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', below = 0) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: y + below }] });
    await touch('touchStart');
    for (let step = 1; step <= 10; step++) {
      await touch('touchMove', (by * step) / 10);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
    // Pause before the release, so that only the distance counts.
    await page.waitForTimeout(200);
    await touch('touchEnd');
    await session.detach();
  }

  test('dragging a film down closes it, a short drag does not; Forward opens it again', async ({ page, site }) => {
    const dragging = page.waitForResponse(/drag-features-/);
    await openCategory(page, site);
    await dragging;
    await motionReady(page);
    await firstCard(page).tap();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await expect(page).toHaveURL(/\?film=\d+$/);
    const film = page.url();
    const grip = dialog.locator('[data-grip]');
    await pull(page, grip, 60);
    await expect(dialog).toBeVisible();
    await expect.poll(async () => Math.round((await grip.boundingBox())?.y ?? -1), 'it goes back to its place').toBeLessThan(20);
    await pull(page, grip, 300);
    await expect(dialog).toHaveCount(0);
    await expect(page).not.toHaveURL(/film=/);
    await page.goForward();
    await expect(page).toHaveURL(film);
    await expect(dialog).toBeVisible();
  });

  test('a dragged carousel stops moving by itself', async ({ page, site }) => {
    await open(page, `${site.url}/films`);
    const carousel = page.locator('[aria-roledescription="carousel"]').first();
    await carousel.scrollIntoViewIfNeeded();
    await expect(carousel.getByRole('button', { name: /^Pause/ })).toBeVisible();
    const line = carousel.locator('[data-position]');
    await expect(line).toHaveAttribute('data-position', /^\d+ of \d+$/);
    const box = await carousel.locator('li').first().boundingBox();
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: (box?.y ?? 0) + 60 }] });
    await touch('touchStart', 300);
    for (let x = 290; x > 60; x -= 20) await touch('touchMove', x);
    await touch('touchEnd', 60);
    await expect(carousel.getByRole('button', { name: /^Play/ })).toBeVisible();
  });
});

test('a menu group animates in and out, and stays visible until the end', async ({ page, site }) => {
  const movements = await recordMovements(page);
  await open(page, `${site.url}/history`);
  await motionReady(page);
  const list = page.locator('header nav ul ul').first();
  await page.locator('header nav button').first().hover();
  await expect(list).toBeVisible();
  const faded = async () => (await movements.seen()).filter(({ inside, property }) => inside === 'header' && property === 'opacity').map(({ to }) => to);
  await expect.poll(faded).toContain('1');
  await page.mouse.move(700, 700);
  await expect(list).toBeHidden();
  expect((await faded()).at(-1)).toBe('0');
});

test('a toast animates in, and a click removes it', async ({ page, site }) => {
  const movements = await recordMovements(page);
  await open(page, `${site.url}/contact-us`);
  await motionReady(page);
  await page.locator('#field-email').fill('nobody');
  await page.locator('main form button[type="submit"]').click();
  const toast = page.locator('[role="alert"] p').filter({ hasText: /./ }).first();
  const slid = async () => (await movements.seen()).filter(({ of, property }) => of.includes('toast') && property === 'transform').map(({ to }) => to);
  await expect.poll(slid).toEqual(['translateX(0px)']);
  await toast.click();
  await expect(page.locator('[role="alert"] p')).toHaveCount(0);
});

test('only the changing digits of the countdown move', async ({ page, siteOf }) => {
  const site = await siteOf('hard');
  const { edition } = await site.get<{ edition: { countdown_at: string } }>('/site/');
  const end = Date.parse(`${edition.countdown_at}+05:30`);
  const movements = await recordMovements(page);
  await page.clock.install({ time: new Date(end - 600_000) });
  await open(page, site.url);
  await motionReady(page);
  await page.clock.pauseAt(new Date(end - 95_400));
  await page.clock.runFor(2000);
  await movements.forget();
  // 01:34 becomes 01:33.
  await page.clock.runFor(1000);
  await page.clock.runFor(400);
  const digits = (await movements.seen()).filter(({ inside, property }) => inside === 'div' && property === 'transform');
  expect(digits.length).toBeGreaterThan(0);
  expect(new Set(digits.map(({ text }) => text)).size, 'the seconds alone').toBe(1);
  for (const { text } of digits) expect(text).toMatch(/^\d$/);
});

test('the blog’s cards appear one after another, all within a short time', async ({ page, site }) => {
  const movements = await recordMovements(page);
  await open(page, `${site.url}/history`);
  await motionReady(page);
  await follow(page, '/blogs');
  await expect(page.locator('main li').first()).toBeVisible();
  const delays = async () => (await movements.seen()).filter(({ inside, from }) => inside === 'main' && from === 'translateY(16px)').map(({ delay }) => Math.round(delay) || 0);
  await expect.poll(async () => (await delays()).slice(0, 3)).toEqual([0, 50, 100]);
  expect(Math.max(...(await delays()))).toBeLessThanOrEqual(350);
});

test('in wide windows the hero’s name scrolls more slowly; narrow ones do not load its script', async ({ page, site, watch }) => {
  const drift = () => page.locator('#content svg:has(text)').first().evaluate((mark) => new DOMMatrix(getComputedStyle(mark.parentElement as Element).transform).m42);
  await open(page, site.url);
  await motionReady(page);
  await expect.poll(drift).toBe(0);
  await page.evaluate(() => scrollTo({ top: 400, behavior: 'instant' }));
  await expect.poll(drift).toBeGreaterThan(10);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await expect.poll(drift).toBe(0);

  await page.setViewportSize({ width: 700, height: 900 });
  watch.requests.length = 0;
  await page.reload();
  await hydrated(page);
  await motionReady(page);
  await page.evaluate(() => scrollTo({ top: 400, behavior: 'instant' }));
  expect(await drift()).toBe(0);
  expect(watch.requests.filter(({ url }) => url.includes('hero-scroll'))).toEqual([]);
});
