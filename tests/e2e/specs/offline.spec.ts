import { cp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { axe } from '../support/axe.ts';
import { largeProgramme } from '../support/seeds.ts';
import { root, run, type Site, start, temporaryFolder } from '../support/program.ts';
import { expect, open, type Page, test as base } from '../support/test.ts';

interface Released {
  days: string[];
  films: { id: number; title: string; section: { id: number } }[];
  screenings: { id: number; day: string; title: string; films: number[] }[];
}

interface Festival {
  url: string;
  /** Starts the server with the first release of the programme, or with the second. */
  begin(release: 1 | 2, settings?: Record<string, string>): Promise<Site>;
  end(): Promise<void>;
  /** Opens the visitor's browser, with the data that it stored before it was closed. */
  visit(): Promise<Page>;
  leave(): Promise<void>;
}

/** The demonstration's data after each of its releases. */
async function twoReleases(folder: string) {
  const [first, second] = [join(folder, '1'), join(folder, '2')];
  const seed = (data: string, file: string) => run(data, ['seed', join(root, 'config/editions', file), '--relative-dates']);
  await cp(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'bare'), first, { recursive: true });
  await seed(first, '2025.toml');
  await run(first, ['programme', 'release', '--first']);
  await cp(first, second, { recursive: true });
  await seed(second, '2025-later.toml');
  await run(second, ['programme', 'release']);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}

const test = base.extend<{ festival: Festival }, { releases: string }>({
  releases: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters
    async ({}, use) => {
      const folder = await temporaryFolder();
      await twoReleases(folder);
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  festival: async ({ releases, playwright, launchOptions, viewport, timezoneId }, use) => {
    const port = await freePort();
    const profile = await temporaryFolder();
    let site: Site | null = null;
    let browser: BrowserContext | null = null;
    const festival: Festival = {
      url: `http://127.0.0.1:${port}`,
      begin: async (release, settings = {}) => {
        site = await start(join(releases, String(release)), { ROCKET_PORT: String(port), ...settings });
        return site;
      },
      end: async () => {
        await site?.stop();
        site = null;
      },
      visit: async () => {
        browser = await playwright.chromium.launchPersistentContext(profile, {
          ...launchOptions,
          viewport,
          timezoneId,
          serviceWorkers: 'allow',
        });
        return browser.pages()[0] ?? (await browser.newPage());
      },
      leave: async () => {
        await browser?.close();
        browser = null;
      },
    };
    await use(festival);
    await festival.leave();
    await festival.end();
    await rm(profile, { recursive: true, force: true });
  },
});

/** The responses that the browser has cached: path and query, and size. */
const cached = (page: Page) =>
  page.evaluate(async () => {
    const all: { address: string; bytes: number }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const { pathname, search } = new URL(request.url);
        all.push({ address: pathname + search, bytes: (await (await cache.match(request))?.blob())?.size ?? 0 });
      }
    }
    return all;
  });

const addresses = async (page: Page) => (await cached(page)).map(({ address }) => address);
const items = (page: Page) => page.locator('main ol > li');
const offline = (page: Page) => page.getByText('You are offline');

/** Visits the programme once, and stars the screening that the second release moves. */
async function visitOnce(festival: Festival) {
  const site = await festival.begin(1);
  const programme = await site.get<Released>('/programme/');
  const screening = programme.screenings.find(({ title }) => title === 'Sea Grass');
  const film = programme.films.find(({ id }) => id === screening?.films[0]);
  const page = await festival.visit();
  await open(page, `${festival.url}/programme?day=${screening?.day}`);
  await page.locator(`#screening-${screening?.id}`).getByRole('button', { name: 'My festival' }).click();
  const filmPage = `/films/${film?.section.id}?film=${film?.id}`;
  await expect.poll(() => addresses(page)).toEqual(expect.arrayContaining(['/programme', filmPage]));
  await expect.poll(async () => (await addresses(page)).some((address) => address.startsWith('/media/'))).toBe(true);
  return { programme, filmPage, id: screening?.id };
}

test('after one visit, programme, search, plan and the pages of starred films need no network', async ({ festival }) => {
  const { programme, id } = await visitOnce(festival);
  await festival.leave();
  await festival.end();

  const page = await festival.visit();
  await open(page, `${festival.url}/programme`);
  await expect(offline(page)).toBeVisible();
  await expect(page.locator('main')).toContainText(/As of \w{3} \d+ \w{3}, \d\d:\d\d/);
  expect((await axe(page).analyze()).violations).toEqual([]);
  for (const day of programme.days) {
    await open(page, `${festival.url}/programme?day=${day}`);
    await expect(items(page)).toHaveCount(programme.screenings.filter((screening) => screening.day === day).length);
  }
  await open(page, `${festival.url}/programme?q=mazhapatha`);
  await expect(items(page).first()).toContainText('The Rain Road');
  await page.getByRole('searchbox').fill('uppukat');
  await expect(items(page).first()).toContainText('Salt Wind');
  await open(page, `${festival.url}/programme?time=evening`);
  for (const text of await items(page).locator('time').first().allTextContents()) expect(text >= '17:00').toBe(true);
  await open(page, `${festival.url}/programme?screening=${id}`);
  await expect(page.locator(`#screening-${id}`)).toBeFocused();

  await open(page, `${festival.url}/programme?view=mine`);
  await expect(items(page)).toHaveCount(1);
  await page.getByRole('link', { name: 'Sea Grass' }).click();
  const overlay = page.getByRole('dialog', { name: 'Sea Grass' });
  await expect(overlay).toContainText('Synopsis');
  await expect(overlay.getByRole('heading', { name: 'Screenings' })).toBeVisible();
  await page.reload();
  await expect(overlay.getByRole('button', { name: 'My festival', pressed: true })).toHaveCount(1);
  const poster = overlay.getByRole('img').first();
  await expect.poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await overlay.getByRole('link', { name: 'The whole programme' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Programme' })).toBeVisible();

  // The start page of an installed site.
  await page.goto(`${festival.url}/`);
  await expect(page).toHaveURL(`${festival.url}/programme`);
});

test('when the network is back, the page renews itself and what changed is marked', async ({ festival }) => {
  await visitOnce(festival);
  await festival.leave();
  await festival.end();
  const page = await festival.visit();
  await open(page, `${festival.url}/programme?view=mine`);
  await expect(offline(page)).toBeVisible();
  await festival.begin(2);
  // The event of a browser that is online again.
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByRole('link', { name: 'My festival: 1 changed' })).toBeVisible();
  await expect(page.locator('main')).toContainText('Changed since your last visit');
  await expect(items(page).first()).toContainText('Moved; it was');
  await expect(offline(page)).toHaveCount(0);
  // Now the new release is cached.
  const version = () =>
    page.evaluate(async () => (await (await caches.match('/programme'))?.text())?.match(/"version":(\d+),"released_at"/)?.[1]);
  await expect.poll(version).toBe('2');
});

test('only the programme, starred films and their files are kept, and nothing of an older site', async ({ festival }) => {
  const { filmPage } = await visitOnce(festival);
  await festival.leave();
  const page = await festival.visit();
  // Requests that pass through the worker, which could cache them.
  for (const path of ['/admin/login', '/submit-entry', '/contact-us', '/films', '/programme.ics']) await page.goto(festival.url + path).catch(() => null);
  await open(page, `${festival.url}/films`);
  await page.evaluate(async () => {
    await fetch('/api/categories/');
    await (await caches.open('programme-0')).put('/assets/older.js', new Response('older'));
    await (await caches.open('programme-1')).put('/assets/older.js', new Response('older'));
    // So that the present service worker is installed as a new one.
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  });
  await open(page, `${festival.url}/programme`);
  // First the names: opening a cache that is being deleted would create it again.
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(['programme-1']);
  await expect.poll(() => addresses(page)).not.toContain('/assets/older.js');
  const all = await cached(page);
  const known = /^\/assets\/[\w.-]+$|^\/media\/[\w./-]+\?w=480$/;
  expect(all.map(({ address }) => address).filter((address) => !known.test(address)).sort()).toEqual([filmPage, '/programme']);
  expect(all.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(15_000_000);
  // The files of the cached page are cached, too, so that it never refers to files that are gone.
  const html = await page.evaluate(async () => (await (await caches.match('/programme'))?.text()) ?? '');
  const needed = html.match(/\/assets\/[\w.-]+/g) ?? [];
  expect(needed.length).toBeGreaterThan(3);
  expect(all.map(({ address }) => address)).toEqual(expect.arrayContaining(needed));

  // A film that is no longer starred is removed from the cache.
  await open(page, `${festival.url}/programme?view=mine`);
  await page.locator('main').getByRole('button', { name: 'My festival', pressed: true }).click();
  await expect.poll(() => addresses(page)).not.toContain(filmPage);
  expect((await addresses(page)).filter((address) => address.startsWith('/media/'))).toEqual([]);
});

test('while the module is switched off, nothing is cached and no service worker remains', async ({ festival }) => {
  await visitOnce(festival);
  await festival.leave();
  await festival.end();
  await festival.begin(1, { FESTIVAL_MODULES__PROGRAMME__ENABLED: 'false' });
  const page = await festival.visit();
  await open(page, festival.url);
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await expect.poll(() => cached(page)).toEqual([]);
  await open(page, `${festival.url}/films`);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

/** A server in front of another one that counts the bytes sent to browsers, with headers, and compressed with gzip. */
async function countingProxy(target: string) {
  let sent = 0;
  const server = createServer((browser) => {
    const site = connect(Number(new URL(target).port), '127.0.0.1');
    site.on('data', (bytes) => {
      sent += bytes.length;
    });
    site.on('error', () => browser.destroy());
    browser.on('error', () => site.destroy());
    browser.on('data', (bytes) => site.write(bytes.toString('latin1').replace(/^(accept-encoding:).*$/gim, '$1 gzip'), 'latin1'));
    browser.on('end', () => site.end());
    site.pipe(browser);
  });
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${port}`, sent: () => sent, close: () => server.close() };
}

test('the whole programme of a large festival, with search, weighs less than 250 kB', async ({ festival }) => {
  const data = await temporaryFolder();
  await writeFile(join(data, 'large.toml'), largeProgramme());
  await run(data, ['seed', join(data, 'large.toml')]);
  await run(data, ['programme', 'release', '--first']);
  const site = await start(data);
  const proxy = await countingProxy(site.url);
  const programme = await site.get<Released>('/programme/');
  expect([programme.films.length, programme.screenings.length]).toEqual([216, 320]);
  const page = await festival.visit();
  await open(page, `${proxy.url}/programme`);
  await expect.poll(() => addresses(page)).toContain('/programme');
  // Everything that loads by itself has loaded.
  let before = -1;
  await expect
    .poll(async () => {
      const known = before;
      before = proxy.sent();
      await page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done())));
      return before === known;
    }, { intervals: [500] })
    .toBe(true);
  // Every page of the site has typefaces.
  const faces = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.woff2'))
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
  );
  const sent = proxy.sent() - faces;
  test.info().annotations.push({ type: 'weight', description: `${sent} bytes, and ${faces} of typefaces` });
  await page.getByRole('searchbox').fill(programme.screenings.at(-1)?.title ?? '');
  await expect(items(page).first()).toContainText(programme.screenings.at(-1)?.title ?? '');
  expect(sent).toBeLessThan(250_000);
  expect(sent).toBeGreaterThan(100_000);
  await festival.leave();
  proxy.close();
  await site.stop();
  await rm(data, { recursive: true, force: true });
});
