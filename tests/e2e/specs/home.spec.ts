import type { Locator } from '@playwright/test';
import { rowsOf } from '../support/layout.ts';
import { expectStill, expectMoving } from '../support/motion.ts';
import { spoken } from '../support/spoken.ts';
import { tabTo } from '../support/keyboard.ts';
import { expect, follow, holdRequests, hydrated, open, type Page, test } from '../support/test.ts';

test.describe('the hero’s film', () => {
  const film = (page: Page) => page.locator('main video');
  const plays = (page: Page) => film(page).evaluate((video: HTMLVideoElement) => !video.paused);
  /** A device that shows a film's frames, or drops half of them, whatever this one does. */
  const device = (page: Page, drops: boolean) =>
    page.addInitScript((drops) => {
      let counts = 0;
      HTMLVideoElement.prototype.getVideoPlaybackQuality = () => {
        counts += 1;
        return { totalVideoFrames: counts * 50, droppedVideoFrames: drops ? counts * 25 : 0 } as VideoPlaybackQuality;
      };
    }, drops);

  test('stands still on a device that drops its frames, and plays there when asked', async ({ page, site }) => {
    await device(page, true);
    await open(page, site.url);
    const play = page.getByRole('button', { name: 'Play: Film in the background' });
    await expect(page.getByRole('button', { name: 'Pause: Film in the background' }), 'it begins').toBeVisible();
    await expect(play).toBeVisible();
    expect(await plays(page)).toBe(false);
    await play.click();
    await expect.poll(() => plays(page)).toBe(true);
  });

  for (const width of [360, 768, 1440]) test(`plays at ${width} px after the page has loaded, without sound and again and again, and stops by its button`, async ({ page, site, watch }) => {
    await device(page, false);
    await page.setViewportSize({ width, height: 900 });
    const isFilm = ({ url }: { url: string }) => url.endsWith('.mp4');
    // A script of the page comes late: the page has not loaded, and the film is not fetched.
    const release = await holdRequests(page, '**/icon*.png');
    await page.addInitScript(() => addEventListener('DOMContentLoaded', () => {
      const late = new Image();
      late.src = '/icon-late.png';
      document.body.append(late);
    }));
    await page.goto(site.url, { waitUntil: 'commit' });
    await hydrated(page);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await expect(film(page)).toHaveCount(0);
    expect(watch.requests.filter(isFilm)).toEqual([]);
    watch.expect(/^status 404: \S+icon-late.png$/, /^console error: Failed to load.*404/);
    release();
    await expect(film(page)).toHaveJSProperty('muted', true);
    await expect(film(page)).toHaveJSProperty('loop', true);
    await expect(film(page)).toHaveJSProperty('playsInline', true);
    await expect.poll(() => plays(page)).toBe(true);
    await page.getByRole('button', { name: 'Pause: Film in the background' }).click();
    await expect.poll(() => plays(page)).toBe(false);
    await page.getByRole('button', { name: 'Play: Film in the background' }).click();
    await expect.poll(() => plays(page)).toBe(true);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect(film(page)).toHaveCount(0);
  });

  for (const [where, prepare] of [
    ['where data are saved', (page: Page) => page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }))],
    ['on a slow connection', (page: Page) => page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: false, effectiveType: '3g' } }))],
    ['with reduced motion', (page: Page) => page.emulateMedia({ reducedMotion: 'reduce' })],
  ] as const) {
    test(`is not fetched ${where} until its button is pressed by key`, async ({ page, site, watch }) => {
      await prepare(page);
      await open(page, site.url);
      await page.waitForLoadState('networkidle');
      await expect(film(page)).toHaveCount(0);
      expect(watch.requests.filter(({ url }) => /\.(mp4|webm)/.test(url))).toEqual([]);
      await expect(page.locator('main picture img').first()).toBeVisible();
      const play = page.getByRole('button', { name: 'Play: Film in the background' });
      await expect(play).toBeVisible();
      await tabTo(page, play);
      await page.keyboard.press('Enter');
      await expect.poll(() => plays(page)).toBe(true);
      await page.keyboard.press('Enter');
      await expect.poll(() => plays(page)).toBe(false);
    });
  }
});

test('the marquee shows the edition, its dates, place and deadline, runs, and stops by hover, button and reduced motion', async ({ page, site }) => {
  const { product, edition } = await site.get<{
    product: { city: string; region: string; country: string };
    edition: { name: string; dates_text: string; submission_deadline_text: string };
  }>('/site/');
  await open(page, site.url);
  const marquee = page.getByRole('complementary', { name: 'The festival in short' });
  await expect(marquee.getByRole('listitem')).toHaveText([
    edition.name,
    edition.dates_text,
    `${product.city}, ${product.region}, ${product.country}`,
    `Submissions until ${edition.submission_deadline_text}`,
  ]);
  const track = marquee.locator('> div').first();
  await marquee.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await page.mouse.move(0, 0);
  await expectMoving(track);
  const box = await marquee.boundingBox();
  await page.mouse.move(300, (box?.y ?? 0) + 5);
  await expectStill(track);
  await page.mouse.move(0, 0);
  await expectMoving(track);
  const pause = marquee.getByRole('button', { name: 'Pause: Banner' });
  await pause.click();
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await expectStill(track);
  await marquee.getByRole('button', { name: 'Play: Banner' }).click();
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await expectMoving(track);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectStill(track);
  // Without motion all items are visible.
  for (const item of await marquee.getByRole('listitem').all()) await expect(item).toBeInViewport({ ratio: 1 });
});

test('the selection lists hold 8 Malayalam, 10 Indian and 8 Asian films, and lead to them', async ({ page, site }) => {
  await open(page, site.url);
  const lists = page.locator('#selections section');
  await expect(lists.locator('h3')).toHaveText(['Malayalam Cinema 8', 'Indian Cinema 10', 'Asian Cinema 8']);
  const films = [
    ['The Rain Road', 'Salt Wind', 'The Lamp at the Landing', 'The Eighth Wave', 'Painted Face', 'Umbrellas Without Owners', 'Shadow of a Palm', 'What the Water Wrote'],
    ['A Letter of Salt', 'A House Beyond the River', 'The Last Windmill', 'The Clay Sang', 'The Seventh Door', 'The Name of the Boat', 'The Turmeric Bicycle', 'A Window on the White Desert', 'The Night of the Elephants', 'Mustard Shade'],
    ['The Tide Room', 'Post Office of the Wind', 'The Third Garden', 'Moon over the Paddy', 'Three Oil Lamps', 'Sea Grass', 'Where the Horse Stood', 'A House above the Tide'],
  ];
  for (const [place, names] of films.entries()) await expect(lists.nth(place).getByRole('link')).toHaveText(names);
  await expect(lists.first().getByRole('listitem').first()).toHaveText('The Rain RoadAnagha Vellimon');
  // Every link leads to the page of its own film.
  for (const [place, names] of films.entries())
    for (const [at, name] of names.entries()) {
      const address = (await lists.nth(place).getByRole('link').nth(at).getAttribute('href')) ?? '';
      expect(address).toMatch(/^\/films\/\d+\?film=\d+$/);
      const html = await (await page.request.get(site.url + address)).text();
      expect(/<title>([^<·]*) ·/.exec(html)?.[1], address).toBe(name);
    }
});

test('the delegate buttons lead to the form, each with its category and fee', async ({ page, site }) => {
  await open(page, site.url);
  const links = page.locator('#delegates a');
  await expect(links).toHaveText([
    'Delegate / member form',
    'Membership₹2,000',
    '20th Velicham Delegate₹1,300',
    'Student Delegate₹500',
    'Institutional Member₹25,000',
    'Life Membership₹10,000',
  ]);
  for (const link of await links.all()) await expect(link).toHaveAttribute('href', '/form');
});

test('the categories grid: each with its name, the same pattern, and a link to its page', async ({ page, site }) => {
  const categories = await site.get<{ id: number; name: string }[]>('/categories/');
  await open(page, site.url);
  const grid = page.locator('#categories');
  await expect(grid.getByRole('heading', { name: 'Competition Film Categories & Schedule', exact: true })).toBeAttached();
  const tiles = grid.locator('li a');
  await expect(tiles).toHaveCount(categories.length);
  for (const [index, { id, name }] of categories.entries()) {
    await expect(tiles.nth(index)).toContainText(name);
    await expect(tiles.nth(index)).toHaveAttribute('href', `/films/${id}`);
  }
  const patterns = await tiles.evaluateAll((all) =>
    all.map((tile) => [...tile.querySelectorAll('*')].map((part) => getComputedStyle(part)).map(({ backgroundImage, maskImage }) => `${backgroundImage} ${maskImage}`).find((image) => image.includes('url('))),
  );
  expect(patterns[0]).toBeTruthy();
  expect(new Set(patterns).size).toBe(1);
});

test('the categories are in three, two or one columns, and the last row is full', async ({ page, site }) => {
  for (const count of [1, 2, 3, 5, 7, 20]) {
    const list = Array.from({ length: count }, (_, index) => ({ id: index + 1, slug: `c${index}`, name: `Category ${index + 1}`, category_desc: null, film_count: index }));
    await page.route('**/api/categories/', (route) => route.fulfill({ json: list }));
    await open(page, `${site.url}/success`);
    await follow(page, '/');
    const tiles = page.locator('#categories li');
    await expect(tiles).toHaveCount(count);
    for (const [width, columns] of [
      [1440, 3],
      [1024, 3],
      [1023, 2],
      [768, 2],
      [360, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const { counts, open: gap } = await rowsOf(tiles);
      const full = Array.from({ length: Math.floor(count / columns) }, () => columns);
      expect(counts, `${count} categories at ${width}`).toEqual(count % columns ? [...full, count % columns] : full);
      expect(gap, `${count} categories at ${width}`).toBe(0);
    }
    await page.unroute('**/api/categories/');
  }
});

test('the screening schedule has three or two columns, each sheet with picture and title', async ({ page, site }) => {
  const sheets = await site.get<{ title: string }[]>('/screening-schedule/');
  expect(sheets.length, 'more than a row').toBeGreaterThan(3);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, site.url);
  const tiles = page.locator('#screening-schedule li');
  await expect(tiles).toHaveCount(sheets.length);
  for (const [width, columns] of [
    [1440, 3],
    [768, 2],
    [360, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const { counts } = await rowsOf(tiles);
    expect(counts[0], `at ${width}`).toBe(columns);
    expect(counts.slice(0, -1).every((count) => count === columns), `${counts.join()} at ${width}`).toBe(true);
  }
  for (const [index, { title }] of sheets.entries()) {
    await tiles.nth(index).scrollIntoViewIfNeeded();
    await expect(tiles.nth(index).locator('figcaption')).toHaveText(title);
    await expect.poll(() => tiles.nth(index).locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
});

test('the blocks have their headings, in capitals where the specification has them', async ({ page, site }) => {
  await open(page, site.url);
  const said = await spoken(page, 'heading');
  for (const [block, heading] of [
    ['upcoming-events', 'Upcoming Events'],
    ['categories', 'Competition Film Categories & Schedule'],
    ['screening-schedule', 'SCREENING SCHEDULE'],
    ['daily-events', 'DAILY EVENTS'],
    ['venue', 'VENUE'],
  ] as const) {
    const title = page.locator(`#${block} h2`);
    await title.scrollIntoViewIfNeeded();
    expect(await title.evaluate((title: HTMLElement) => title.innerText), 'what a person sees').toBe(heading);
    expect(said.filter((name) => name === heading), 'what a screen reader says').toHaveLength(1);
  }
});

test('VENUE is a carousel of three houses, two in the city and one in a town nearby', async ({ page, site }) => {
  await open(page, site.url);
  const carousel = page.locator('#venue').getByRole('group', { name: 'Venues', exact: true });
  await expect(carousel).toHaveAttribute('aria-roledescription', 'carousel');
  await carousel.scrollIntoViewIfNeeded();
  const captions = carousel.locator('li figcaption');
  await expect(captions).toHaveText(['Kadavu TheatreJetty Road, Kochi', 'Lantern HallSpice Lane, Kochi', 'Backwater TalkiesCanal Bank, Alappuzha']);
  for (const caption of await captions.all()) await expect(caption).toBeVisible();
  for (const picture of await carousel.locator('li img').all())
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expect(carousel.getByRole('button', { name: 'Next: Venues' })).toBeVisible();
});

test('posters and pictures without a title are shown without one', async ({ page, siteOf }) => {
  const site = await siteOf('hard');
  for (const [list, block] of [
    ['/posters/', 'posters'],
    ['/screening-schedule/', 'screening-schedule'],
    ['/daily-events/', 'daily-events'],
  ] as const) {
    const rows = await site.get<{ title: string | null }[]>(list);
    await open(page, site.url);
    const figures = page.locator(`#${block} figure`);
    await expect(figures).toHaveCount(rows.length);
    for (const [index, { title }] of rows.entries()) {
      await expect(figures.nth(index).locator('img')).toHaveCount(1);
      if (title) await expect(figures.nth(index).locator('figcaption')).toHaveText(title);
      else await expect(figures.nth(index).locator('figcaption')).toHaveCount(0);
    }
  }
});

/** How far the first slide of a carousel is from the nearest snap point once nothing moves, as a fraction of a slide. */
async function offRest(carousel: Locator): Promise<number> {
  let off = Number.NaN;
  await expect.poll(async () => {
    const [before, after] = await carousel.evaluate(async (element) => {
      const measure = () => {
        const frame = element.querySelector('ul')?.parentElement?.getBoundingClientRect();
        const slide = element.querySelector('li')?.getBoundingClientRect();
        return ((slide?.left ?? 0) - (frame?.left ?? 0)) / (slide?.width ?? 1);
      };
      const before = measure();
      // Frames, not milliseconds: a busy machine can stand still for a while in the middle of a move.
      for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
      return [before, measure()] as const;
    });
    off = Math.abs(after - Math.round(after));
    return Math.abs(after - before);
  }).toBeLessThan(0.001);
  return off;
}

for (const [path, label, free] of [
  ['/', 'Posters', true],
  ['/films', 'films', false],
] as const) {
  test(`${label} that are let go of ${free ? 'rest where they are' : 'go to the next place'}`, async ({ page, site }) => {
    await open(page, `${site.url}/success`);
    await follow(page, path);
    const carousel = page.locator(`[aria-roledescription="carousel"]${free ? `[aria-label="${label}"]` : ''}`).first();
    await carousel.scrollIntoViewIfNeeded();
    await expect(carousel.getByRole('button', { name: /^Next/ })).toBeVisible();
    await carousel.getByRole('button', { name: /^Pause/ }).click();
    // Wait for a move in progress: a drag from the middle of it could end at a snap point by chance.
    expect(await offRest(carousel)).toBeLessThan(0.02);
    const slide = await carousel.locator('li').nth(1).boundingBox();
    const y = (slide?.y ?? 0) + 80;
    const x = (slide?.x ?? 0) + (slide?.width ?? 0) / 2;
    await page.mouse.move(x, y);
    await page.mouse.down();
    // Held still at the end, so that it has no velocity when released.
    await page.mouse.move(x - 40, y, { steps: 4 });
    await page.mouse.move(x - (slide?.width ?? 0) * 0.35, y, { steps: 10 });
    await page.waitForTimeout(400);
    await page.mouse.up();
    const off = await offRest(carousel);
    if (free) expect(off).toBeGreaterThan(0.1);
    else expect(off).toBeLessThan(0.02);
  });
}
