import { addressOf } from '../support/routes.ts';
import { expect, open, type Page, type Site, test } from '../support/test.ts';

interface Film {
  id: number;
  name: string;
  category_id: number;
}

/** The first film of the first category, and the address of its category. */
async function firstFilm(site: Site) {
  const list = await addressOf('/films/{category}', site);
  const [film] = await site.get<Film[]>(`${new URL(list).pathname.replace('/films/', '/categories/')}/films/`);
  if (!film) throw new Error('the first category has no films');
  return { list, film, address: `${list}?film=${film.id}` };
}

const dialog = (page: Page) => page.getByRole('dialog');

test('a film’s address opens the film, also after a reload; closing it leaves its category', async ({ page, site }) => {
  const { list, film, address } = await firstFilm(site);
  for (const load of [() => open(page, address), () => page.reload()]) {
    await load();
    await expect(dialog(page).getByRole('heading', { level: 2 })).toHaveText(film.name);
    await expect.poll(() => dialog(page).evaluate((element) => element.matches(':modal'))).toBe(true);
    await expect(page).toHaveTitle(new RegExp(film.name));
  }
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  expect(page.url()).toBe(list);
  await expect(page).not.toHaveTitle(new RegExp(film.name));
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', list);
  await expect(page.locator(`main a[href$="?film=${film.id}"]`)).toBeFocused();
});

test('a film that is opened from the list has its address, and back closes it', async ({ page, site }) => {
  const { list, film, address } = await firstFilm(site);
  await open(page, list);
  await page.locator(`main a[href$="?film=${film.id}"]`).click();
  await expect(dialog(page)).toBeVisible();
  expect(page.url()).toBe(address);
  await expect(page).toHaveTitle(new RegExp(film.name));
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', address);
  await page.goBack();
  await expect(dialog(page)).toHaveCount(0);
  expect(page.url()).toBe(list);
  await page.goForward();
  await expect(dialog(page)).toBeVisible();
});

test('the link of a film is copied with the keyboard and announced', async ({ page, site, context }) => {
  const { address } = await firstFilm(site);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.url });
  // A desktop browser without the Web Share API.
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }));
  await open(page, address);
  const button = dialog(page).getByRole('button', { name: 'Copy link' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('status')).toHaveText('Link copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  const box = await button.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
});

test('a link that cannot be copied is shown', async ({ page, site }) => {
  const { address } = await firstFilm(site);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', { value: undefined });
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await open(page, address);
  await dialog(page).getByRole('button', { name: 'Copy link' }).click();
  await expect(dialog(page).getByRole('status')).toHaveText(`The link is ${address}`);
});

test('a device that can share gets the film’s link', async ({ page, site }) => {
  const { film, address } = await firstFilm(site);
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.defineProperty(navigator, 'share', { value: async (what: unknown) => void shared.push(what) });
  });
  await open(page, address);
  await dialog(page).getByRole('button', { name: 'Share this film' }).click();
  const shared = () => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared);
  await expect.poll(shared).toEqual([{ title: film.name, url: address }]);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  // The browser reports every preloaded script as blocked.
  test.beforeEach(({ watch }) => watch.expect(/^failed: \S+\/assets\/\S+\.js csp$/));

  test('a film can be read and closed', async ({ page, site }) => {
    const { list, film, address } = await firstFilm(site);
    await page.goto(list);
    await page.locator(`main a[href$="?film=${film.id}"]`).click();
    await expect(page).toHaveURL(address);
    await expect(dialog(page).getByRole('heading', { level: 2 })).toHaveText(film.name);
    await expect(dialog(page).getByRole('row').first()).toBeVisible();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await expect(dialog(page)).toHaveCount(0);
  });
});

for (const data of ['demo', 'hard'] as const) {
  test(`feed, sitemap and JSON-LD can be parsed (${data})`, async ({ page, siteOf }) => {
    const site = await siteOf(data);
    await open(page, `${site.url}/blogs`);
    const feed = page.locator('link[rel="alternate"][type="application/atom+xml"]');
    const paths = [await feed.getAttribute('href'), '/sitemap.xml'];
    for (const path of paths) {
      const found = await page.evaluate(async (path) => {
        const text = await (await fetch(path)).text();
        const xml = new DOMParser().parseFromString(text, 'application/xml');
        const errors = xml.getElementsByTagName('parsererror').length;
        const links = [...xml.querySelectorAll('link, loc')].map((one) => one.getAttribute('href') ?? one.textContent);
        return { errors, links };
      }, path as string);
      expect(found.errors, path as string).toBe(0);
      expect(found.links.length, path as string).toBeGreaterThan(1);
      for (const link of found.links) expect(link).toMatch(new RegExp(`^${site.url}/`));
    }
    for (const path of ['/', '/blogs', '/films']) {
      await page.goto(site.url + path);
      const jsonLd = await page.locator('script[type="application/ld+json"]').textContent();
      expect(JSON.parse(jsonLd ?? '')['@graph'].length).toBeGreaterThan(0);
    }
  });
}

test('an event is downloaded as a calendar file', async ({ page, site }) => {
  await open(page, site.url);
  const link = page
    .locator('#upcoming-events')
    .getByRole('link', { name: /^Add to calendar: / })
    .first();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toBe('event.ics');
  const all = page.getByRole('link', { name: 'All events in your calendar' });
  expect(await all.getAttribute('href')).toBe('/upcoming-events.ics');
});
