import { motionReady } from '../support/motion.ts';
import type { Released } from '../support/programme.ts';
import { addressOf, routes } from '../support/routes.ts';
import { expect, open, type Page, test } from '../support/test.ts';

/**
 * Transferred bytes by resource type, including headers, without the browser cache. Scripts that the document does not
 * reference count as `Later`: they are loaded when the browser is idle.
 */
async function weigh(page: Page, address: string) {
  await page.addInitScript(() => {
    // Counts idle callbacks.
    const idle = { requested: 0, done: 0 };
    const later = window.requestIdleCallback.bind(window);
    Object.assign(window, { idle });
    window.requestIdleCallback = (run, options) => {
      idle.requested += 1;
      return later((deadline) => {
        idle.done += 1;
        run(deadline);
      }, options);
    };
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const addresses = new Map<string, string>();
  const waiting = new Set<string>();
  let films = 0;
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    addresses.set(requestId, request.url);
    // Videos are streamed.
    if (type === 'Media') films += 1;
    else waiting.add(requestId);
  });
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.set(requestId, encodedDataLength);
    waiting.delete(requestId);
  });
  session.on('Network.loadingFailed', ({ requestId }) => waiting.delete(requestId));
  await open(page, address);
  // Whatever loads automatically after hydration belongs to the first view as well.
  await motionReady(page);
  const rest = () =>
    page.evaluate(async () => {
      // Two rounds of rendering and idling, so that loaded scripts run and their requests start.
      for (let turns = 0; turns < 2; turns++) {
        await new Promise((done) => requestAnimationFrame(done));
        await new Promise<void>((done) => requestIdleCallback(() => done()));
      }
      const { idle } = window as unknown as { idle: { requested: number; done: number } };
      return idle.requested === idle.done;
    });
  await expect
    .poll(async () => {
      const before = addresses.size;
      return (await rest()) && waiting.size === 0 && addresses.size === before;
    }, { message: 'everything came that comes by itself' })
    .toBe(true);
  await session.detach();
  const named = await page.evaluate(() => {
    const starter = document.querySelector<HTMLScriptElement>('script[data-scripts]');
    return [starter?.src, ...(starter?.dataset.scripts?.split(' ') ?? [])].map((src) => new URL(src ?? '', location.origin).href);
  });
  const sums = { Media: 0, Script: 0, Later: 0 } as Record<string, number>;
  for (const [id, size] of bytes) {
    const known = kinds.get(id) ?? 'Other';
    const kind = known === 'Script' && !named.includes(addresses.get(id) ?? '') ? 'Later' : known;
    sums[kind] = (sums[kind] ?? 0) + size;
  }
  const { Media: media = 0, Later: afterwards = 0, ...first } = sums;
  return { bytes: Object.values(first).reduce((sum, one) => sum + one, 0), media, afterwards, films, kinds: first };
}

for (const [name, width, height, density] of [
  ['phone', 360, 800, 3],
  ['desk', 1440, 900, 1],
  ['sharp desk', 1440, 900, 2],
] as const) {
  test.describe(`on a ${name}`, () => {
    test.use({ viewport: { width, height }, deviceScaleFactor: density });

    test('the first view of the home page weighs less than 300 kB without its film', async ({ page, site }) => {
      const weight = await weigh(page, `${site.url}/`);
      test.info().annotations.push({ type: 'weight', description: JSON.stringify(weight) });
      expect(weight.bytes, JSON.stringify(weight.kinds)).toBeLessThan(300_000);
      // Phones load the film, too, once and after the page.
      if (width < 768) {
        expect(weight.films).toBeLessThanOrEqual(1);
        expect(weight.media).toBeLessThan(300_000);
      }
    });

    test('a page of films loads visible posters only, in the size that the window needs', async ({ page, site }) => {
      await open(page, `${site.url}/films`);
      const wrong = await page.locator('main img').evaluateAll((all) =>
        (all as HTMLImageElement[])
          .filter((image) => image.complete && image.currentSrc !== '')
          .map((image) => ({
            loaded: Number(new URL(image.currentSrc).searchParams.get('w')),
            needed: image.getBoundingClientRect().width * Math.min(devicePixelRatio, 2),
          }))
          // Rounding up to the next available width is allowed.
          .filter(({ loaded, needed }) => loaded < Math.min(needed, 1600) * 0.95 || loaded > needed * 2.1),
      );
      expect(wrong).toEqual([]);
    });
  });
}

for (const [width, height] of [
  [360, 800],
  [1440, 900],
  [2560, 1440],
] as const) {
  test(`no first view loads 100 kB of typefaces or more at ${width}`, async ({ browser, site }) => {
    const { days } = await site.get<Released>('/programme/');
    for (const path of [...routes.map(({ path }) => path), ...days.map((day) => `/programme?day=${day}`)]) {
      const page = await browser.newPage({ viewport: { width, height } });
      const { kinds } = await weigh(page, await addressOf(path, site));
      expect(kinds.Font, path).toBeGreaterThan(30_000);
      expect.soft(kinds.Font, path).toBeLessThan(100_000);
      await page.close();
    }
  });
}

test('the programme loads the typeface of a title in another script when the title comes into view', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const scripts = () => requests.flatMap((url) => /(gujarati|kannada)-text/.exec(url)?.[1] ?? []);
  await open(page, `${site.url}/programme`);
  await expect(page.locator('html')).not.toHaveAttribute('data-unpainted');
  await page.evaluate(() => document.fonts.ready);
  expect(scripts()).toEqual([]);
  await page.locator('#day-title ~ * li :lang(gu)').first().scrollIntoViewIfNeeded();
  await expect.poll(scripts).toContain('gujarati');
  expect(scripts()).not.toContain('kannada');
});

test.describe('before the first paint of a phone', () => {
  test.use({ viewport: { width: 360, height: 640 } });

  /** Some files that are only needed below the window, or behind an open film. */
  const unseen: [address: string, files: RegExp][] = [
    ['/films', /media\/films\/(?!84b93d3f)/],
    ['/films/1?film=1', /media\/films\/(f7656c01|132a5ebd|ed437dd4)/],
    ['/team', /media\/team-members\/(767f0a83|a169617d)/],
  ];
  for (const [address, files] of unseen) {
    test(`${address} requests nothing that is out of view`, async ({ page, site, watch }) => {
      watch.expect(/ERR_FAILED/);
      // The script that notices the paint.
      await page.route('**/assets/entry-start-*.js', (route) => route.abort());
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(site.url + address);
      await page.evaluate(async () => {
        await document.fonts.ready;
        await Promise.all([...document.images].filter(({ loading }) => loading === 'eager').map((image) => image.decode()));
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      });
      expect(requests.filter((url) => files.test(url))).toEqual([]);
      await page.evaluate(() => document.documentElement.removeAttribute('data-unpainted'));
      await expect.poll(() => requests.filter((url) => files.test(url)), { message: 'after it they come' }).not.toEqual([]);
    });
  }

  test('what is below the first view of the home page is laid out afterwards, a section at a time', async ({ page, site }) => {
    await page.addInitScript(() => {
      const pieces: number[] = [];
      Object.assign(window, { pieces });
      const isBegin = ({ target }: MutationRecord) => target instanceof Element && target.matches('[data-laid-out]');
      const observer = new MutationObserver((changes) => {
        // At the end the attributes are removed.
        if (changes.some(isBegin)) pieces.push(changes.length);
      });
      observer.observe(document, { attributes: true, attributeFilter: ['data-laid-out'], subtree: true });
    });
    await page.goto(site.url);
    await expect(page.locator('html')).not.toHaveAttribute('data-unpainted');
    await expect(page.locator('[data-laid-out]')).toHaveCount(0);
    const sections = await page.locator('[data-first-view] ~ :is(section, aside)').count();
    expect(sections).toBeGreaterThan(10);
    expect(await page.evaluate('pieces')).toEqual(new Array(sections).fill(1));
  });
});
