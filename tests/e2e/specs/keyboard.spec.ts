import type { Locator } from '@playwright/test';
import { expectTrapped, tabTo } from '../support/keyboard.ts';
import { addressOf } from '../support/routes.ts';
import { expect, holdRequests, hydrated, open, test } from '../support/test.ts';

test('the skip link is first and leads to the content', async ({ page, site }) => {
  await open(page, `${site.url}/history`);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  const inside = await page.evaluate(() => document.activeElement?.closest('main, footer') !== null);
  expect(inside, 'the next stop lies behind the header').toBe(true);
});

test.describe('the header’s groups', () => {
  test.beforeEach(async ({ page, site }) => {
    await open(page, `${site.url}/history`);
  });

  for (const key of ['Enter', 'Space']) {
    test(`open and close with ${key}`, async ({ page }) => {
      const button = page.getByRole('banner').getByRole('button', { name: 'About' });
      const link = page.getByRole('banner').getByRole('link', { name: 'Team' });
      await tabTo(page, button);
      await expect(button).toHaveAttribute('aria-expanded', 'false');
      await expect(link).toBeHidden();
      await page.keyboard.press(key);
      await expect(button).toHaveAttribute('aria-expanded', 'true');
      await expect(link).toBeVisible();
      await page.keyboard.press(key);
      await expect(link).toBeHidden();
    });
  }

  test('arrow keys move through the links, and Escape returns the focus', async ({ page }) => {
    const banner = page.getByRole('banner');
    const button = banner.getByRole('button', { name: 'About' });
    const links = banner.locator('nav li li a');
    await tabTo(page, button);
    await page.keyboard.press('ArrowDown');
    await expect(links.nth(0)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(links.nth(1)).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(links.nth(0)).toBeFocused();
    await page.keyboard.press('ArrowUp');
    const group = banner.locator('nav > ul > li').first().locator('li a');
    await expect(group.last()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(group.first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
    await expect(links.first()).toBeHidden();
  });

  test('close when the focus leaves and when a link is followed', async ({ page }) => {
    const banner = page.getByRole('banner');
    const button = banner.getByRole('button', { name: 'About' });
    await tabTo(page, button);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    await expect(banner.getByRole('link', { name: 'Team' })).toBeHidden();
    await tabTo(page, button);
    await page.keyboard.press('Enter');
    await tabTo(page, banner.getByRole('link', { name: 'Team' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/team$/);
    await expect(banner.getByRole('link', { name: 'Team' })).toBeHidden();
  });
});

test('the mobile menu traps the focus, closes with Escape and returns it', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page, `${site.url}/history`);
  const opener = page.getByRole('button', { name: 'Menu' });
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu).toBeVisible();

  await expectTrapped(page);
  const group = menu.locator('summary').first();
  await group.focus();
  const inside = menu.locator('details').first().getByRole('link').first();
  await expect(inside).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(inside).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();

  await page.keyboard.press('Enter');
  await menu.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Enter');
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();

  await page.keyboard.press('Enter');
  await menu.getByRole('link', { name: 'Blog', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/blogs$/);
  await expect(menu).toBeHidden();
});

test('a film of the listing opens, closes in every way, and returns the focus', async ({ page, site }) => {
  await open(page, `${site.url}/films`);
  const card = page.locator('main a[aria-haspopup="dialog"]').nth(1);
  // Name, director, country and year.
  const name = (await card.locator('span').nth(-3).textContent()) ?? '';
  const overlay = page.getByRole('dialog');

  await card.focus();
  await page.keyboard.press('Enter');
  await expect(overlay).toBeVisible();
  await expect(page).toHaveURL(/\/films\?film=\d+$/);
  await expect(overlay.getByRole('heading', { level: 2 })).toHaveText(name);
  const box = await overlay.boundingBox();
  expect(box).toMatchObject({ x: 0, y: 0, width: 1440, height: 900 });
  await expectTrapped(page);
  await tabTo(page, overlay.getByRole('button', { name: 'Back to Films' }));
  await page.keyboard.press('Enter');
  await expect(overlay).toBeHidden();
  await expect(page).toHaveURL(/\/films$/);
  await expect(card).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(overlay).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(overlay).toBeHidden();
  await expect(page).toHaveURL(/\/films$/);
  await expect(card).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(overlay).toBeVisible();
  const scrolled = await page.evaluate(() => scrollY);
  await page.goBack();
  await expect(overlay).toBeHidden();
  await expect(page).toHaveURL(/\/films$/);
  await expect(card).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  await page.goForward();
  await expect(overlay.getByRole('heading', { level: 2 })).toHaveText(name);

  await page.reload();
  await expect(overlay.getByRole('heading', { level: 2 })).toHaveText(name);
  await overlay.getByRole('button', { name: 'Back to Films' }).click();
  await expect(overlay).toBeHidden();
  await expect(page).toHaveURL(/\/films$/);
});

test('a film of a category opens in a window: close button, background, Escape, own address', async ({ page, site }) => {
  const address = await addressOf('/films/{category}', site);
  await open(page, address);
  const card = page.locator('main a[aria-haspopup="dialog"]').first();
  const overlay = page.getByRole('dialog');

  await tabTo(page, card);
  await page.keyboard.press('Enter');
  await expectTrapped(page);
  await tabTo(page, overlay.getByRole('button', { name: 'Close' }));
  await page.keyboard.press('Enter');
  await expect(overlay).toBeHidden();
  await expect(card).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(overlay).toBeVisible();
  await page.mouse.click(3, 3);
  await expect(overlay).toBeHidden();

  const film = await card.getAttribute('href');
  await open(page, site.url + film);
  await expect(overlay).toBeVisible();
  await page.reload();
  await hydrated(page);
  await expect(overlay).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(overlay).toBeHidden();
  await expect(page).toHaveURL(address);
  // The dialog was open from the start: closing it adds no history entry.
  await open(page, `${site.url}/history`);
  await open(page, site.url + film);
  await overlay.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(address);
  await page.goBack();
  await expect(page).toHaveURL(/\/history$/);
});

test('a film closed before hydration stays closed', async ({ page, site }) => {
  const address = await addressOf('/films/{category}', site);
  await open(page, address);
  const film = site.url + (await page.locator('main a[aria-haspopup="dialog"]').first().getAttribute('href'));
  const overlay = page.getByRole('dialog');
  const ways = [() => overlay.getByRole('button', { name: 'Close' }).click(), () => page.keyboard.press('Escape')];
  for (const close of ways) {
    // The page's scripts are delayed, except for the first, which listens to Escape.
    const release = await holdRequests(page, /\/assets\/(?!entry-start).*\.js$/);
    await page.goto(film, { waitUntil: 'commit' });
    await expect(overlay).toBeVisible();
    await page.locator('script[data-address]').waitFor({ state: 'attached' });
    await close();
    await expect(overlay).toBeHidden();
    release();
    await hydrated(page);
    await expect(page).toHaveURL(address);
    await expect(overlay).toBeHidden();
    await page.unrouteAll();
  }
});

test('an unknown film opens nothing', async ({ page, site }) => {
  for (const path of ['/films?film=99999', '/films?film=%3Cscript%3E', '/films?film=']) {
    await open(page, site.url + path);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

for (const [block, title] of [
  ['screening-schedule', /^Day 2, [A-Z][a-z]+ \d{1,2} [A-Z][a-z]+$/],
  ['daily-events', 'Open forum'],
  ['venue', 'Lantern Hall'],
] as const) {
  test(`pictures of #${block} enlarge and close`, async ({ page, site }) => {
    await open(page, site.url);
    await page.locator(`#${block}`).scrollIntoViewIfNeeded();
    // Not the first one: what opens is the picture that was chosen, in full size.
    const tile = page.locator(`#${block} a[aria-haspopup="dialog"]`).nth(1);
    const overlay = page.getByRole('dialog');
    await tile.focus();
    await page.keyboard.press('Enter');
    await expect(overlay).toBeVisible();
    await expect(overlay).toHaveAccessibleName(title);
    const picture = overlay.getByRole('img');
    await expect(picture).toHaveAccessibleName(title);
    await expect(picture).toHaveAttribute('src', (await tile.getAttribute('href')) ?? '?');
    await expect(tile.locator('img')).toHaveAttribute('src', `${await tile.getAttribute('href')}?w=720`);
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThanOrEqual(1000);
    const size = async () => (await picture.boundingBox())?.height ?? 0;
    expect(await size()).toBeGreaterThan((await tile.boundingBox())?.height ?? 0);
    await expectTrapped(page);
    await page.keyboard.press('Escape');
    await expect(overlay).toBeHidden();
    await expect(tile).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(overlay).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(overlay, 'its button closes it').toBeHidden();
    await page.keyboard.press('Enter');
    await overlay.getByRole('img').click();
    await expect(overlay, 'a click closes it').toBeHidden();
    await expect(page).toHaveURL(`${site.url}/`);
    await tile.press('Enter');
    await expect(overlay).toBeVisible();
    const scrolled = await page.evaluate(() => scrollY);
    await page.goBack();
    await expect(overlay, 'Back closes it').toBeHidden();
    await expect(page, 'and stays on the page').toHaveURL(`${site.url}/`);
    await expect(tile).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(scrolled);
    // Every way of closing goes back: nothing is left of the picture.
    expect(await page.evaluate(() => history.state?.usr?.picture ?? null)).toBe(null);
  });
}

/** Waits until the slides stand still: an automatic move may still be under way when a carousel gets the focus. */
function atRest(carousel: Locator) {
  return carousel.evaluate(
    (element) =>
      new Promise<void>((done) => {
        let last = Number.NaN;
        let same = 0;
        const look = () => {
          const left = element.querySelector('li')?.getBoundingClientRect().left ?? 0;
          same = left === last ? same + 1 : 0;
          last = left;
          if (same >= 10) done();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

/** The index of the slide at the left edge. */
function firstInView(carousel: Locator): Promise<number> {
  return carousel.evaluate((element) => {
    const frame = element.querySelector('ul')?.parentElement?.getBoundingClientRect();
    const distances = [...element.querySelectorAll('li')].map((slide) => Math.abs(slide.getBoundingClientRect().left - (frame?.left ?? 0)));
    return distances.indexOf(Math.min(...distances));
  });
}

for (const path of ['/', '/films', '/twenty-{slug}', '/isff-2025']) {
  test(`every carousel on ${path} can be reached, moved and stopped with the keyboard alone`, async ({ page, site }) => {
    // Narrow, so that every carousel has more than it shows.
    await page.setViewportSize({ width: 700, height: 900 });
    await open(page, await addressOf(path, site));
    const carousels = page.locator('[aria-roledescription="carousel"]');
    expect(await carousels.count()).toBeGreaterThan(0);
    for (const carousel of await carousels.all()) {
      const label = await carousel.getAttribute('aria-label');
      await carousel.scrollIntoViewIfNeeded();
      const button = (name: string) => carousel.getByRole('button', { name: `${name}: ${label}`, exact: true });
      await expect(button('Next')).toBeVisible();
      await expect(button('Pause')).toBeVisible();
      const count = await carousel.locator('li').count();
      const first = () => firstInView(carousel);
      // From the first link, by Tab alone; the focused element is in view.
      const links = carousel.locator('li a');
      const entry = (await links.count()) > 0 ? links.first() : button('Previous');
      await entry.focus();
      await tabTo(page, button('Next'));
      await expect(button('Next')).toBeInViewport();
      await atRest(carousel);
      const start = await first();
      await page.keyboard.press('Enter');
      await expect.poll(first, `${label}: next`).toBe((start + 1) % count);
      await page.keyboard.press('Shift+Tab');
      await expect(button('Previous')).toBeFocused();
      await page.keyboard.press('Space');
      await expect.poll(first, `${label}: previous`).toBe(start);
      await tabTo(page, button('Pause'));
      await page.keyboard.press('Space');
      await expect(button('Play')).toBeFocused();
    }
  });
}

test('a slide outside the viewport scrolls into view when it gets the focus', async ({ page, site }) => {
  await page.setViewportSize({ width: 700, height: 900 });
  await open(page, `${site.url}/films`);
  const carousel = page.locator('[aria-roledescription="carousel"]').first();
  await carousel.scrollIntoViewIfNeeded();
  await expect(carousel.getByRole('button', { name: /^Next/ })).toBeVisible();
  const cards = carousel.locator('li a');
  await cards.first().focus();
  for (const card of (await cards.all()).slice(0, 4)) {
    await expect(card).toBeFocused();
    await expect(card).toBeInViewport({ ratio: 0.5 });
    await page.keyboard.press('Tab');
  }
});

test('a carousel follows the Tab key on a slow device too, and Next goes on from the slide in view', async ({ page, site }) => {
  // Every key takes 30 ms, as on a slow phone.
  await page.addInitScript(() =>
    addEventListener('keydown', () => {
      const end = performance.now() + 30;
      while (performance.now() < end);
    }),
  );
  await page.setViewportSize({ width: 700, height: 900 });
  await open(page, `${site.url}/films`);
  const carousel = page.locator('[aria-roledescription="carousel"]').first();
  await carousel.scrollIntoViewIfNeeded();
  const next = carousel.getByRole('button', { name: /^Next/ });
  await expect(next).toBeVisible();
  const count = await carousel.locator('li').count();
  await carousel.locator('li a').first().focus();
  await tabTo(page, next);
  await atRest(carousel);
  const start = await firstInView(carousel);
  await page.keyboard.press('Enter');
  await expect.poll(() => firstInView(carousel)).toBe((start + 1) % count);
});
