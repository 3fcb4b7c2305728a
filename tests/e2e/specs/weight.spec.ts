import { expect, open, type Page, test } from '../support/test.ts';

/** Bytes that the network carried, headers included, by kind of thing; what the browser kept counts nothing. */
async function weigh(page: Page, address: string) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
  });
  await open(page, address);
  await page.waitForLoadState('networkidle');
  // What comes by itself after the page is alive belongs to the first view as well.
  await page.waitForTimeout(2500);
  await session.detach();
  const media = bytes.get('Media') ?? 0;
  bytes.delete('Media');
  return { bytes: [...bytes.values()].reduce((sum, one) => sum + one, 0), media, kinds: Object.fromEntries(bytes) };
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
      // A phone's data are not spent on a film in the background.
      if (width < 768) expect(weight.media).toBe(0);
    });

    test('a page of films loads the posters that can be seen, as large as the window needs them', async ({ page, site }) => {
      await open(page, `${site.url}/films`);
      const wrong = await page.locator('main img').evaluateAll((all) =>
        (all as HTMLImageElement[])
          .filter((image) => image.complete && image.currentSrc !== '')
          .map((image) => ({
            asked: Number(new URL(image.currentSrc).searchParams.get('w')),
            needed: image.getBoundingClientRect().width * Math.min(devicePixelRatio, 2),
          }))
          // One step of the widths too large is what rounding up costs.
          .filter(({ asked, needed }) => asked < Math.min(needed, 1600) * 0.95 || asked > needed * 2.1),
      );
      expect(wrong).toEqual([]);
    });
  });
}
