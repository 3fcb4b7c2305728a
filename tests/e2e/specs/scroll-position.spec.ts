import { expect, follow, holdRequests, hydrated, open, type Page, test } from '../support/test.ts';

/** The scroll position of a page, and the positions of the marks in the viewport. */
async function place(page: Page): Promise<{ top: number; marks: [string, number][] }> {
  return page.evaluate(() => {
    const marks = [...document.querySelectorAll('main :is(h2, h3, figcaption), main section')]
      .filter((mark) => mark.checkVisibility() && !mark.closest('[aria-roledescription="carousel"]'))
      // By name where there is one: the text of a countdown changes.
      .map((mark): [string, number] => [
        mark.id || mark.getAttribute('aria-labelledby') || mark.getAttribute('aria-label') || (mark.textContent ?? ''),
        mark.getBoundingClientRect().top,
      ])
      .filter(([, top]) => Math.abs(top) < innerHeight);
    return { top: scrollY, marks };
  });
}

/** Scrolls step by step to a part of the page, so that everything above it has been in the viewport. */
async function readTo(page: Page, part: number) {
  // A fraction of the whole page, not of a page that is still loading.
  await expect.poll(() => page.evaluate(() => (document.querySelector('main')?.offsetHeight ?? 0) / innerHeight)).toBeGreaterThan(1.5);
  await page.evaluate(async (part) => {
    // Content that loads on the way makes the page longer.
    const end = () => Math.round(document.documentElement.scrollHeight * part);
    for (let top = 0; top < end(); top += 500) {
      scrollTo({ top, behavior: 'instant' });
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    scrollTo({ top: end(), behavior: 'instant' });
  }, part);
  // Everything that started loading in the viewport has loaded.
  await expect(page.getByRole('main').getByText(/^Loading/)).toHaveCount(0);
  await expect.poll(async () => JSON.stringify(await place(page)) === JSON.stringify(await place(page))).toBe(true);
}

async function expectSamePlace(page: Page, left: Awaited<ReturnType<typeof place>>) {
  await expect.poll(async () => Math.abs((await place(page)).top - left.top)).toBeLessThanOrEqual(2);
  const now = new Map((await place(page)).marks);
  expect(left.marks.length, 'something to compare').toBeGreaterThan(0);
  for (const [mark, top] of left.marks) expect(Math.abs((now.get(mark) ?? Number.NaN) - top), mark).toBeLessThanOrEqual(2);
}

test.describe('on a phone whose network has stopped', () => {
  test.use({ viewport: { width: 360, height: 800 }, reducedMotion: 'reduce' } as object);

  for (const [path, part] of [
    ['/', 0.3],
    ['/', 0.8],
    ['/films', 0.6],
    ['/isff-2025', 0.7],
    ['/blogs', 0.5],
  ] as const) {
    test(`Back and Forward restore the scroll position of ${path}, ${part * 100} per cent down`, async ({ page, site }) => {
      await open(page, `${site.url}/success`);
      await follow(page, path);
      await expect(page).toHaveURL(site.url + path);
      await readTo(page, part);
      const left = await place(page);
      await follow(page, '/privacy-and-terms');
      await expect(page).toHaveURL(/privacy/);
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
      await page.route('**/api/**', () => {});
      await page.goBack();
      await expect(page).toHaveURL(site.url + path);
      await expectSamePlace(page, left);
      await page.goBack();
      await expect(page).toHaveURL(/success$/);
      await page.goForward();
      await expect(page).toHaveURL(site.url + path);
      await expectSamePlace(page, left);
    });
  }

  for (const path of ['/', '/team']) {
    test(`a reload of ${path} restores its scroll position`, async ({ page, site }) => {
      await open(page, site.url + path);
      await readTo(page, 0.3);
      const left = await place(page);
      await page.reload();
      await hydrated(page);
      await expectSamePlace(page, left);
    });
  }

  test('a reload keeps the scroll positions of earlier pages', async ({ page, site }) => {
    await open(page, `${site.url}/history`);
    await readTo(page, 0.6);
    const left = await place(page);
    await follow(page, '/privacy-and-terms');
    await expect(page).toHaveURL(/privacy/);
    await page.reload();
    await hydrated(page);
    await page.goBack();
    await expect(page).toHaveURL(/history$/);
    await expectSamePlace(page, left);
  });

  test('Back before a reloaded page has its code restores the earlier page and its scroll position', async ({ page, site }) => {
    await open(page, `${site.url}/history`);
    await readTo(page, 0.6);
    const left = await place(page);
    await follow(page, '/privacy-and-terms');
    await expect(page).toHaveURL(/privacy/);
    const release = await holdRequests(page, /\/privacy-page-[^/]*\.js$/);
    const requested = page.waitForRequest(/\/privacy-page-[^/]*\.js$/);
    await page.reload({ waitUntil: 'commit' });
    await requested;
    await expect(page.locator('h1')).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/history$/);
    release();
    await expect(page.locator('h1')).toHaveText('History');
    await hydrated(page);
    await expectSamePlace(page, left);
  });

  test('scrolling on cancels the restored position', async ({ page, site }) => {
    await open(page, `${site.url}/history`);
    await readTo(page, 0.6);
    await follow(page, '/privacy-and-terms');
    await expect(page).toHaveURL(/privacy/);
    await page.goBack();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
    await page.keyboard.press('Home');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.evaluate(() => document.querySelector('main')?.append(Object.assign(document.createElement('p'), { textContent: 'late' })));
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
});
