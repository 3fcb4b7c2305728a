import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filmList, titles } from '../support/film-list.ts';
import { run, temporaryFolder, type Site, start } from '../support/program.ts';
import { expect, open, type Page, test } from '../support/test.ts';

let folder: string;
let site: Site;
/** The path of the long section's page. */
let path: string;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  folder = await temporaryFolder();
  const data = join(folder, 'data');
  await mkdir(data);
  await writeFile(join(folder, 'edition.toml'), filmList());
  await run(data, ['seed', join(folder, 'edition.toml')]);
  site = await start(data);
  path = `/films/${(await site.get<{ id: number }[]>('/categories/'))[0]?.id}`;
});

test.afterAll(async () => {
  await site?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Generated posters with overflowing text, or with a broken word that would have fitted. */
function badPosters(page: Page) {
  return page.locator('main [data-drawn]').evaluateAll((posters) =>
    posters.flatMap((poster) => {
      const box = poster.getBoundingClientRect();
      const range = document.createRange();
      const texts = [...poster.querySelectorAll('[data-size]')].map((name) => name.firstChild as Text);
      return texts.flatMap((text) => {
        range.selectNodeContents(text);
        const out = [...range.getClientRects()].some(
          (line) => line.left < box.left - 1 || line.right > box.right + 1 || line.top < box.top - 4 || line.bottom > box.bottom + 4,
        );
        const broken = [...text.data.matchAll(/[\p{L}\p{M}]+/gu)].filter((word) => {
          // Some words are wider than any poster, and Chinese and Japanese have none.
          if (word[0].length > 20 || /[\u3040-\u30ff\u3400-\u9fff]/.test(word[0])) return false;
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          return new Set([...range.getClientRects()].map((line) => Math.round(line.top / 4))).size > 1;
        });
        return out || broken.length > 0 ? [`${text.data}: ${out ? 'out' : broken.join()}`] : [];
      });
    }),
  );
}

for (const width of [320, 360, 768, 1440, 2560]) {
  test(`drawn posters hold every title, with whole words, at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, site.url + path);
    await page.evaluate(() => document.fonts.ready);
    await expect(page.locator('main [data-drawn]').first()).toBeVisible();
    expect(await badPosters(page)).toEqual([]);
    await open(page, `${site.url}/films`);
    expect(await badPosters(page)).toEqual([]);
  });
}

test('every title has its language and text direction', async ({ page }) => {
  await open(page, `${site.url}${path}/a-z`);
  for (const [title, lang] of titles) {
    const name = page.locator('main section a [lang]').filter({ hasText: new RegExp(`^${title}$`) });
    await expect(name, title).toHaveAttribute('lang', lang);
    const direction = await name.evaluate((element) => getComputedStyle(element).direction);
    expect(direction, title).toBe(['ar', 'fa'].includes(lang) ? 'rtl' : 'ltr');
  }
});

test('titles in the scripts of India, in Cyrillic, Greek and Arabic are set in the site’s own typefaces', async ({ page }) => {
  await open(page, `${site.url}${path}/a-z`);
  await page.evaluate(() => document.fonts.ready);
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const strangers: string[] = [];
  for (const [title, lang] of titles) {
    if (['zh', 'ja', 'ko'].includes(lang)) continue;
    const mark = await page.locator('main section a [lang]').filter({ hasText: new RegExp(`^${title}$`) });
    await mark.evaluate((element) => element.setAttribute('data-looked-at', ''));
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '[data-looked-at]' });
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    for (const font of fonts) if (!font.isCustomFont) strangers.push(`${title}: ${font.familyName}`);
    await mark.evaluate((element) => element.removeAttribute('data-looked-at'));
  }
  expect(strangers).toEqual([]);
});

test('the films page leads to each section by a row that stays in view', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, `${site.url}/films`);
  const bar = page.getByRole('navigation', { name: 'Sections' });
  await expect(bar.getByRole('link')).toHaveText([/^Section world ?60$/, /^Section asian ?2$/, /^Section indian ?2$/, /^Section classics ?2$/]);
  await bar.getByRole('link', { name: 'Section classics' }).focus();
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { name: 'Section classics' });
  await expect(heading).toBeInViewport({ ratio: 1 });
  await expect(bar).toBeInViewport();
  const [above, below] = await Promise.all([bar.boundingBox(), heading.boundingBox()]);
  expect(below?.y, 'the row does not cover the heading').toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
});

test('a long section has an A–Z: one line per film, sorted, by letter', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, site.url + path);
  await expect(page.getByText('60 films', { exact: true })).toBeVisible();
  await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'A–Z' }).click();
  await expect(page).toHaveURL(`${site.url}${path}/a-z`);
  const lines = page.locator('main a[aria-haspopup="dialog"]');
  await expect(lines).toHaveCount(60);
  const letters = await page.locator('main section h2').allTextContents();
  expect(letters.slice(0, 4)).toEqual(['0-9', 'C', 'D', 'F']);
  await expect(page.locator('main section').nth(1)).toContainText('A Conversation about Everything');
  const heights = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().height));
  expect(Math.min(...heights), 'a target for a finger').toBeGreaterThanOrEqual(44);
  const tall = await page.evaluate(() => document.querySelector('main')?.scrollHeight ?? 0);
  expect(tall, 'pixels for sixty films on a phone').toBeLessThan(7000);

  await page.getByRole('navigation', { name: 'Letters' }).getByRole('link', { name: 'R', exact: true }).click();
  const line = page.getByRole('link', { name: /RAVANA RAJYADALLI/ });
  await expect(line).toBeInViewport();
  await line.click();
  await expect(page.getByRole('dialog')).toContainText('RAVANA RAJYADALLI');
  await expect(page.getByRole('dialog')).toContainText('No Poster');
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\/a-z(#.*)?$/);
});

test('a short section has no second view', async ({ page }) => {
  const [, second] = await site.get<{ id: number }[]>('/categories/');
  await open(page, `${site.url}/films/${second?.id}`);
  await expect(page.locator('main [data-drawn]')).toHaveCount(2);
  await expect(page.getByRole('navigation', { name: 'View' })).toHaveCount(0);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('posters are drawn, the A–Z is complete and films open from it', async ({ page, watch }) => {
    // A browser without JavaScript reports scripts as blocked.
    watch.expect(/^failed: \S+\/assets\/\S+\.js csp$/);
    await page.goto(site.url + path);
    await expect(page.locator('main [data-drawn]')).toHaveCount(24);
    await page.getByRole('link', { name: 'A–Z' }).click();
    await expect(page.locator('main a[aria-haspopup="dialog"]')).toHaveCount(60);
    await page.getByRole('link', { name: /^FLAMES/ }).click();
    await expect(page.getByRole('dialog')).toContainText('FLAMES');
  });
});

test('a section that fits the window is aligned to the grid and has no carousel controls', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, `${site.url}/films`);
  const sections = page.locator('main section:has([aria-roledescription="carousel"])');
  await expect(sections).toHaveCount(4);
  const short = sections.nth(1);
  await short.scrollIntoViewIfNeeded();
  const left = (selector: string) => short.locator(selector).first().evaluate((element) => Math.round(element.getBoundingClientRect().left));
  // The gap of one pixel between pictures is there before the first one, too.
  expect(Math.abs((await left('li a')) - (await left('h2')))).toBeLessThanOrEqual(1);
  await expect(short.getByRole('button')).toHaveCount(0);
});
