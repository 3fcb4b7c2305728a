import { stopClock } from '../support/frames.ts';
import { addressOf, routes } from '../support/routes.ts';
import { expect, open, test } from '../support/test.ts';

/** Sentences with a missing name, and punctuation around nothing. */
const gaps = /\b(?:the|a|an|of|in|for|and)\s*[.,;:!?](?:\s|$)|\(\s*\)|\s[.,;](?:\s|$)|undefined|null|NaN|·\s*$|[,:]\s*$/;

for (const data of ['bare', 'empty'] as const) {
  test(`the ${data} site has complete sentences, no empty sections and no dead ends`, async ({ page, siteOf, watch }) => {
    watch.expect(/^status 404/, /^console error: Failed to load.*404/);
    const site = await siteOf(data);
    for (const { path } of routes) {
      await open(page, await addressOf(path, site));
      const { texts, headings, ways } = await page.evaluate(() => {
        const seen = [...document.querySelectorAll<HTMLElement>('main :is(p, h1, h2, h3, h4, li, dd, dt, a, button, label)')].filter((element) => element.checkVisibility());
        const head = ['description', 'og:title', 'og:description'].map(
          (name) => document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"], meta[property="${name}"]`)?.content ?? '',
        );
        const follows = (heading: Element): boolean => {
          // The content below the heading: the rest of its section or of the page.
          const box = heading.closest('section, article, header, li, main') ?? document.body;
          const around = box.localName === 'header' ? (box.parentElement ?? box) : box;
          const text = (around as HTMLElement).innerText.replace((heading as HTMLElement).innerText, '').trim();
          return text.length > 0 || around.querySelector('img, video, iframe, input') !== null;
        };
        return {
          texts: [...seen.map((element) => element.innerText), document.title, ...head],
          headings: seen.filter((element) => /^H[1-4]$/.test(element.tagName) && !follows(element)).map((element) => element.innerText),
          ways: [...document.querySelectorAll('main :is(a, button, input, iframe)')].filter((element) => element.checkVisibility()).length,
        };
      });
      for (const text of texts) expect.soft(text, path).not.toMatch(gaps);
      expect.soft(headings, `headings over nothing on ${path}`).toEqual([]);
      expect.soft(ways, `ways on from ${path}`).toBeGreaterThan(0);
    }
  });
}

test('a missing text is no error; a text that fails to load can be retried', async ({ page, site, siteOf, watch }) => {
  watch.expect(/^status (404|503)/, /^console (error|warning)/);
  const bare = await siteOf('bare');
  const main = page.getByRole('main');
  await open(page, `${bare.url}/about-us`);
  await expect(main).toContainText('Nothing has been published here yet.');
  await expect(main.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(main.getByRole('link', { name: 'To the home page' })).toHaveAttribute('href', '/');

  await page.route('**/api/pages/about-us/', (route) => route.fulfill({ status: 503, json: { error: 'out of order' } }));
  await open(page, `${site.url}/success`);
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('footer a[href="/history"]')?.click());
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/about-us' });
    document.body.append(link);
    link.click();
  });
  await expect(main).toContainText('This text is not available at the moment.');
  await expect(main.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('a list of blogs that fails to load stops loading and can be retried', async ({ page, site, watch }) => {
  watch.expect(/^status 503/, /^console (error|warning)/);
  await stopClock(page);
  await page.route('**/api/blogs/', (route) => route.fulfill({ status: 503, json: { error: 'out of order' } }));
  await open(page, `${site.url}/success`);
  await page.locator('footer a[href="/blogs"]').click();
  const main = page.getByRole('main');
  const again = main.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await expect(main).not.toContainText('Loading');
  await page.unroute('**/api/blogs/');
  await again.click();
  await expect(main.getByRole('article').first()).toBeVisible();
});

test('a festival without an address has no heading for it in the footer', async ({ page, site, siteOf }) => {
  const heading = page.getByRole('contentinfo').getByRole('heading', { name: 'Contact' });
  await open(page, (await siteOf('bare')).url);
  await expect(heading).toHaveCount(0);
  await open(page, site.url);
  await expect(heading).toBeVisible();
});
