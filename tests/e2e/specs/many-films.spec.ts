import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { manyFilms } from '../../support/many-films.mjs';
import { stopClock } from '../support/frames.ts';
import { expectStill } from '../support/motion.ts';
import { run, temporaryFolder, type Site, start } from '../support/program.ts';
import { watchShifts } from '../support/shifts.ts';
import { expect, follow, open, type Page, test } from '../support/test.ts';
import type { Watch } from '../support/watch.ts';

/** Enough to notice growth with the list; `make bench` measures two thousand. */
const FILMS = 240;
const CATEGORIES = 3;
const EACH = FILMS / CATEGORIES;

let folder: string;
let site: Site;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  folder = await temporaryFolder();
  const data = join(folder, 'data');
  await mkdir(data);
  await run(data, ['seed', manyFilms(folder, FILMS, CATEGORIES)]);
  site = await start(data);
});

test.afterAll(async () => {
  await site?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The API calls about films, without those for the screenings next to an open film. */
const calls = (watch: Watch) => watch.calls().filter((call) => !call.includes('/programme/'));

const carouselOf = (page: Page) => page.locator('[aria-roledescription="carousel"]').first();

/** The numbers of the films that the first carousel shows, from the left. */
function inView(page: Page): Promise<number[]> {
  return carouselOf(page).evaluate((carousel) => {
    const frame = carousel.querySelector('ul')?.parentElement?.getBoundingClientRect();
    if (!frame) return [];
    return [...carousel.querySelectorAll('li')]
      .map((slide) => ({ left: slide.getBoundingClientRect().left, text: slide.textContent ?? '' }))
      .filter(({ left }) => left > frame.left - 20 && left < frame.right - 20)
      .sort((one, other) => one.left - other.left)
      .map(({ text }) => Number(/Film (\d+)/.exec(text)?.[1]));
  });
}

test('the HTML of the listing has the first films of each category and links to all', async ({ page }) => {
  const response = await open(page, `${site.url}/films`);
  const html = (await response?.text()) ?? '';
  expect(html.match(/<li class="[^"]*slide/g)).toHaveLength(12 * CATEGORIES);
  expect(html.length, 'bytes of the page').toBeLessThan(200_000);
  for (const { id } of await site.get<{ id: number }[]>('/categories/')) expect(html).toContain(`href="/films/${id}"`);
});

test('a carousel runs through the whole category with twelve slides', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, `${site.url}/films`);
  const carousel = carouselOf(page);
  await carousel.scrollIntoViewIfNeeded();
  const next = carousel.getByRole('button', { name: /^Next/ });
  await expect(next).toBeVisible();
  const [category] = await site.get<{ id: number }[]>('/categories/');
  const films = await site.get<{ name: string }[]>(`/categories/${category?.id}/films/`);
  const numbers = films.map(({ name }) => Number(/\d+/.exec(name)?.[0]));
  expect(numbers).toHaveLength(EACH);

  await expect.poll(() => inView(page)).toEqual(numbers.slice(0, 4));
  // The first move loads the whole category.
  const wholeList = page.waitForResponse(/\/categories\/\d+\/films\/$/);
  await next.click();
  await wholeList;
  const previous = carousel.getByRole('button', { name: /^Previous/ });
  let position = 1;
  const moveTo = async (target: number) => {
    while (position !== target) {
      const forward = position < target;
      position += forward ? 1 : -1;
      await (forward ? next : previous).press('Enter');
      const expected = [0, 1, 2, 3].map((place) => numbers[(EACH + position + place) % EACH]);
      await expect.poll(() => inView(page), `at ${position}`).toEqual(expected);
    }
  };
  // Every slide shows a second film, then the category's end comes before its beginning and after it. `use-ring.test.ts`
  // runs through long lists.
  for (const target of [20, -2, 2, -3]) await moveTo(target);
  await expect(carousel.locator('li')).toHaveCount(12);
  await carousel.locator('a', { hasText: `Film ${numbers[EACH - 3]} ` }).click();
  await expect(page.getByRole('dialog')).toContainText(`Film ${numbers[EACH - 3]} of the lamp`);
});

test('a film that is not in the listing\'s HTML opens from its address', async ({ page }) => {
  const [category] = await site.get<{ id: number }[]>('/categories/');
  const films = await site.get<{ id: number; name: string }[]>(`/categories/${category?.id}/films/`);
  const last = films.at(-1);
  await open(page, `${site.url}/films?film=${last?.id}`);
  await expect(page.getByRole('dialog')).toContainText(last?.name ?? '?');
});

test('after client-side navigation a category loads its films near the viewport', async ({ page, watch }) => {
  await page.setViewportSize({ width: 360, height: 700 });
  await open(page, `${site.url}/success`);
  await follow(page, '/films');
  const lists = () => watch.calls().filter((call) => /\/films\/$/.test(call)).length;
  await expect(carouselOf(page)).toBeVisible();
  expect(lists()).toBeLessThan(CATEGORIES);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect.poll(lists).toBe(CATEGORIES);
});

/** Films per part of a category. */
const PART = 24;

const cards = (page: Page) => page.locator('main a[aria-haspopup="dialog"]');
const more = (page: Page) => page.getByRole('link', { name: 'Show more films' });

/** The second category: its path, and its films in order. */
async function category() {
  const id = (await site.get<{ id: number }[]>('/categories/'))[1]?.id;
  return { path: `/films/${id}`, films: await site.get<{ id: number; name: string }[]>(`/categories/${id}/films/`) };
}

/** Scrolls until this number of films is shown. */
async function scrollUntil(page: Page, films: number) {
  const scrolled = async () => {
    await page.mouse.wheel(0, 1500);
    return cards(page).count();
  };
  await expect.poll(scrolled, { intervals: [100] }).toBeGreaterThanOrEqual(films);
}

test('a category shows one part of its films, loads the next on scrolling and the others on demand', async ({ page, watch }) => {
  const { path, films } = await category();
  const shifts = await watchShifts(page);
  const response = await open(page, site.url + path);
  const html = (await response?.text()) ?? '';
  expect(html.match(/<a [^>]*aria-haspopup="dialog"/g)).toHaveLength(PART);
  expect(html.length, 'bytes of the page').toBeLessThan(130_000);
  await expect(cards(page)).toHaveCount(PART);
  await shifts.restart();
  await scrollUntil(page, 2 * PART);
  for (let part = 3; part <= 4; part++) {
    // From the second part on nothing loads automatically, so that the footer can be reached.
    await page.mouse.wheel(0, 20_000);
    await expect(cards(page)).toHaveCount((part - 1) * PART);
    await more(page).click();
    await expect(cards(page)).toHaveCount(Math.min(part * PART, films.length));
  }
  await expect(more(page)).toHaveCount(0);
  const names = await cards(page).evaluateAll((all) => all.map((card) => card.children[1]?.textContent));
  expect(names).toEqual(films.map(({ name }) => name));
  const parts = watch.calls().map((call) => /parts\/(\d+)\/$/.exec(call)?.[1]);
  expect(parts.sort()).toEqual(['2', '3', '4']);
  const { score, moved } = await shifts.seen();
  expect(score, moved.join('\n')).toBeLessThan(0.02);
});

test('the link to more films works with the keyboard and moves the focus to the first new film', async ({ page }) => {
  const { path, films } = await category();
  await open(page, site.url + path);
  // Focusing the link scrolls near the next part, which loads automatically.
  await more(page).focus();
  await expect(cards(page)).toHaveCount(2 * PART);
  await page.keyboard.press('Enter');
  const cardOf = (place: number) => page.locator(`main a[href="${path}?film=${films[place]?.id}"]`);
  await expect(cardOf(2 * PART)).toBeFocused();
  await expect(page).toHaveURL(site.url + path);
  await page.keyboard.press('Tab');
  await expect(cardOf(2 * PART + 1)).toBeFocused();
  // The link is still there, after the new films.
  await more(page).focus();
  await page.keyboard.press('Enter');
  await expect(cardOf(3 * PART)).toBeFocused();
});

test('a film of a later part opens without a call, closes with Back, and the page stays where it was', async ({ page, watch }) => {
  const { path, films } = await category();
  await open(page, site.url + path);
  await scrollUntil(page, 2 * PART);
  await more(page).click();
  const film = films[2 * PART];
  const card = page.locator(`main a[href="${path}?film=${film?.id}"]`);
  await card.scrollIntoViewIfNeeded();
  // The wheel may still be turning, and posters and typefaces above may still be coming.
  await expectStill(card);
  const otherCalls = () => calls(watch).filter((call) => !/parts/.test(call));
  const place = await page.evaluate(() => scrollY);
  await card.click();
  await expect(page.getByRole('dialog')).toContainText(film?.name ?? '?');
  expect(page.url()).toBe(`${site.url}${path}?film=${film?.id}`);
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(card).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(place);
  expect(otherCalls()).toEqual([]);

  // After leaving and Back every part and the scroll position are restored.
  const there = await cards(page).count();
  await follow(page, '/success');
  await expect(cards(page)).toHaveCount(0);
  await page.goBack();
  await expect(cards(page)).toHaveCount(there);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
});

test('the last film of a category opens from its address, over its first part', async ({ page, watch }) => {
  const { path, films } = await category();
  const film = films.at(-1);
  await open(page, `${site.url}${path}?film=${film?.id}`);
  await expect(page.getByRole('dialog')).toContainText(film?.name ?? '?');
  expect(calls(watch)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(site.url + path);
  // A link inside the site requests only the film.
  await follow(page, '/success');
  await follow(page, `${path}?film=${film?.id}`);
  await expect(page.getByRole('dialog')).toContainText(film?.name ?? '?');
});

test('a later part has its own address, also with an open film', async ({ page }) => {
  const { path, films } = await category();
  await open(page, `${site.url}${path}?part=2`);
  const film = films[PART];
  await expect(cards(page).first()).toContainText(film?.name ?? '?');
  await cards(page).first().click();
  await expect(page).toHaveURL(`${site.url}${path}?part=2&film=${film?.id}`);
  await page.reload();
  await expect(page.getByRole('dialog')).toContainText(film?.name ?? '?');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}${path}?part=2`);
  await page.getByRole('link', { name: 'Earlier films' }).click();
  await expect(cards(page).first()).toContainText(films[0]?.name ?? '?');
});

test('a part that fails to load says so in its place and can be retried', async ({ page, watch }) => {
  watch.expect(/^(status 503|console error: Failed to load resource|console warning: .*503)/);
  const { path } = await category();
  await stopClock(page);
  await page.route('**/parts/2/', (route) => route.fulfill({ status: 503, json: { error: 'out of order' } }));
  await open(page, site.url + path);
  await page.mouse.wheel(0, 20_000);
  const message = page.getByText('Failed to load films !!!', { exact: true });
  await expect(message).toHaveCount(1);
  await page.unroute('**/parts/2/');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(message).toHaveCount(0);
  await expect(cards(page)).toHaveCount(2 * PART);
});
