import { axe } from '../support/axe.ts';
import { contentOf, readableText } from '../support/content.ts';
import { walkByKeyboard } from '../support/keyboard-walk.ts';
import { type Shifts, watchShifts } from '../support/shifts.ts';
import { runningAnimations, scrollThrough } from '../support/motion.ts';
import { hydrated, expect, open, type Page, type SiteName, test } from '../support/test.ts';
import { addressOf, routes } from '../support/routes.ts';

const notFoundInConsole = /^console error: Failed to load.*404/;

/** Text outside the viewport that cannot be scrolled into view. */
async function sideways(page: Page) {
  return page.evaluate(() => {
    const wide = document.documentElement.clientWidth;
    const scrolls = document.scrollingElement && document.scrollingElement.scrollWidth > wide;
    const inStrip = (element: Element) => {
      for (let box = element; box !== document.body && box.parentElement; box = box.parentElement) {
        if (box.tagName === 'MAIN') return false;
        if (getComputedStyle(box).overflowX !== 'visible' && box.getBoundingClientRect().right <= wide + 1) return true;
      }
      return false;
    };
    const outside = [...document.body.querySelectorAll('*')].filter((element) => {
      const { right, left, width } = element.getBoundingClientRect();
      if (width === 0 || (right <= wide + 1 && left >= -1)) return false;
      const speaks = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      return (speaks || element.matches('button, a, input')) && !inStrip(element);
    });
    const places = outside.map((element) => `${element.tagName}.${element.className} ${element.textContent?.slice(0, 40)}`);
    return [...(scrolls ? ['the page scrolls'] : []), ...places.slice(0, 10)];
  });
}

/** Elements that clip their own text. */
async function cutOff(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('h1, h2, h3, p, a, button, dd, td, th, li, summary')]
      .filter((element) => {
        const style = getComputedStyle(element);
        const hides = style.overflowX === 'hidden' || style.overflowX === 'clip';
        return hides && element.scrollWidth > element.clientWidth + 1 && style.webkitLineClamp === 'none';
      })
      .map((element) => `${element.tagName}.${element.className} ${element.textContent?.slice(0, 40)}`),
  );
}

async function violations(page: Page) {
  const { violations } = await axe(page).analyze();
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary?.slice(0, 300)}`),
  }));
}

/** The bytes of the scripts that the document references, and of those that loaded by themselves afterwards. */
function scriptBytes(page: Page) {
  return page.evaluate(() => {
    const starter = document.querySelector<HTMLScriptElement>('script[data-scripts]');
    const named = [starter?.src, ...(starter?.dataset.scripts?.split(' ') ?? [])].map((src) => new URL(src ?? '', location.origin).href);
    const sums = { first: 0, later: 0 };
    for (const { name, encodedBodySize } of performance.getEntriesByType('resource') as PerformanceResourceTiming[]) {
      if (name.endsWith('.js')) sums[named.includes(name) ? 'first' : 'later'] += encodedBodySize;
    }
    return sums;
  });
}

/** Checks a page that was just opened or reloaded: no shifts, nothing outside the window, no motion on demand. */
async function staysInPlace(page: Page, shifts: Shifts, data: SiteName) {
  const at = `at ${page.viewportSize()?.width}`;
  for (const part of ['banner', 'main', 'contentinfo'] as const) await expect(page.getByRole(part), at).toHaveCount(1);
  await scrollThrough(page);
  const { score, settled, moved } = await shifts.seen();
  // Fonts may load after the page; those for another script always do.
  expect.soft(score, `layout shift ${at}: ${moved.join(', ')}`).toBeLessThanOrEqual(data === 'demo' ? 0.05 : 0.1);
  if (data === 'demo') expect.soft(settled, `later shift ${at}: ${moved.join(', ')}`).toBeLessThanOrEqual(0.02);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await fits(page, at);
}

/** Checks that a page at rest is inside the window. */
async function fits(page: Page, at: string) {
  await expect.soft.poll(() => runningAnimations(page), `what moves despite reduced motion ${at}`).toEqual([]);
  expect.soft(await sideways(page), `sideways ${at}`).toEqual([]);
}

for (const data of ['demo', 'hard', 'empty', 'bare'] as const) {
  for (const route of routes) {
    test(`${route.path} with ${data} data is whole`, async ({ page, siteOf, watch }) => {
      const site = await siteOf(data);
      const address = await addressOf(route.path, site);
      const known = data === 'demo' || data === 'hard' || !/\{(category|blog)\}/.test(route.path);
      const status = known ? (route.status ?? 200) : 404;
      if (status === 404) watch.expect(/^status 404: .*(no\/such\/page|films\/1(\/a-z)?|blog\/1)$/, notFoundInConsole);
      // The demonstration animates until reduced motion is set; the others have it from the start.
      if (data !== 'demo') await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 360, height: 900 });
      const shifts = await watchShifts(page);

      const response = await open(page, address);
      expect(response?.status()).toBe(status);
      expect(watch.calls(), 'the first page calls nothing').toEqual([]);
      const title = page.getByRole('heading', { level: 1 });
      await expect(title).toHaveCount(1);
      if (known && data !== 'bare') await expect(title).toHaveText(route.heading);
      await staysInPlace(page, shifts, data);
      if (data === 'demo') {
        const { first, later } = await scriptBytes(page);
        expect.soft(first, 'the scripts that bring the page to life').toBeGreaterThan(10_000);
        expect.soft(first, 'the scripts that bring the page to life').toBeLessThan(115_000);
        expect.soft(later, 'what comes when the browser has nothing else to do').toBeLessThan(45_000);
        await walkByKeyboard(page, route.path === '/');
      }
      await page.setViewportSize({ width: 320, height: 800 });
      await fits(page, 'at 320');
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      await fits(page, 'at 320 with large text');
      expect.soft(await cutOff(page), 'text cut off').toEqual([]);
      if (data === 'empty' || data === 'bare') return;

      expect.soft(await violations(page), 'axe at 320 with large text').toEqual([]);
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
      await page.setViewportSize({ width: 1440, height: 900 });
      await fits(page, 'resized to 1440');
      if (data === 'hard') return;

      await page.emulateMedia({ reducedMotion: 'no-preference' });
      // The links that had the focus were fetched.
      const before = watch.calls().length;
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
      await page.reload();
      await hydrated(page);
      await expect(title).toHaveText(route.heading);
      await staysInPlace(page, shifts, data);
      expect(watch.calls().slice(before), 'a reload calls nothing').toEqual([]);
      expect.soft(await violations(page), 'axe at 1440').toEqual([]);
      await page.setViewportSize({ width: 768, height: 900 });
      await fits(page, 'at 768');
      await page.setViewportSize({ width: 1440, height: 900 });
      await walkByKeyboard(page, route.path === '/');
    });
  }
}

test('a cached page is revalidated and works', async ({ page, site }) => {
  for (const path of ['/', '/history']) {
    await open(page, site.url + path);
    const again = await open(page, site.url + path);
    expect([200, 304]).toContain(again?.status());
    await page.reload();
    await hydrated(page);
  }
});

for (const data of ['demo', 'hard'] as const) {
  test(`every page with ${data} data has complete metadata in its HTML`, async ({ request, siteOf }) => {
    for (const route of routes) {
      const address = await addressOf(route.path, await siteOf(data));
      const response = await request.get(address, { headers: { accept: 'text/html' } });
      const html = await response.text();
      const head = html.slice(0, html.indexOf('</head>'));
      const meta = (key: string) => {
        const found = [...head.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"/g)].filter((m) => m[1] === key);
        expect(found.length, `one ${key} on ${route.path}`).toBe(1);
        return found[0]?.[2] ?? '';
      };
      expect(head.match(/<title>[^<]+<\/title>/g), `one title on ${route.path}`).toHaveLength(1);
      const title = /<title>([^<]*)<\/title>/.exec(head)?.[1] ?? '';
      expect(title, route.path).not.toMatch(/undefined|null|\[object/);
      expect(meta('description').length, route.path).toBeGreaterThan(10);
      expect(meta('og:title'), route.path).toBe(title);
      expect(meta('og:description'), route.path).toBe(meta('description'));
      expect(meta('og:type'), route.path).toBe(route.path.startsWith('/blog/') ? 'article' : 'website');
      expect(meta('twitter:card'), route.path).toMatch(/^summary/);
      // Unknown addresses share one page.
      const own = route.status === 404 ? `${new URL(address).origin}/404` : address;
      expect(meta('og:url'), route.path).toBe(own);
      expect(head, route.path).toContain(`<link rel="canonical" href="${own}">`);
      expect(/name="robots" content="noindex"/.test(head), route.path).toBe(route.hidden === true);
      expect(html, route.path).toMatch(/<html[^>]* lang="en"/);

      // Quoted text is data.
      const tags = html.replaceAll(/="[^"]*"/g, '=""');
      expect(tags.match(/<[^>]*\sstyle=/g), `inline styles on ${route.path}`).toBeNull();
      expect(html.match(/<style/g), `inline style sheets on ${route.path}`).toBeNull();
      expect(tags.match(/<[a-z][^>]*\son[a-z]+=/gi), `inline handlers on ${route.path}`).toBeNull();
      const scripts = [...html.matchAll(/<script\b([^>]*)>/g)].map((m) => m[1] ?? '');
      for (const attributes of scripts) expect(attributes, route.path).toMatch(/\ssrc="\/assets\/|type="application\/(json|ld\+json)"/);
      const policy = response.headers()['content-security-policy'] ?? '';
      expect(policy, route.path).toContain("default-src 'none'");
      expect(policy, route.path).toContain("script-src 'self'");
      expect(policy, route.path).toContain("style-src 'self'");
      expect(policy, route.path).not.toMatch(/unsafe|\*/);
    }
  });
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  // Chromium reports scripts as blocked.
  test.beforeEach(({ watch }) => watch.expect(/^failed: \S+\/assets\/\S+\.js csp$/));

  for (const data of ['demo', 'hard'] as const) {
    test(`every page with ${data} data can be read and left without JavaScript`, async ({ page, siteOf, watch }) => {
      watch.expect(/^status 404/, notFoundInConsole);
      const site = await siteOf(data);
      for (const route of routes) {
        await page.goto(await addressOf(route.path, site));
        const content = data === 'demo' ? await contentOf(route.path, site) : [];
        for (const width of [360, 1440]) {
          const at = `${route.path} at ${width}`;
          await page.setViewportSize({ width, height: 900 });
          await expect(page.getByRole('heading', { level: 1 }), at).toHaveText(route.heading);
          await expect(page.getByRole('heading', { level: 1 }), at).toBeVisible();
          const faint = await page.locator('main').evaluate((main) => getComputedStyle(main).opacity);
          expect(faint, at).toBe('1');
          await expect(page.getByRole('contentinfo').getByRole('link').first(), at).toBeVisible();
          // The menu shows its links in wide windows, and a link to the footer in narrow ones.
          const menu = page.locator('header a[href="#links"]');
          if (width === 360) await expect(menu, at).toBeVisible();
          else await expect(page.locator('header nav a[href="/films"]'), at).toBeVisible();
          const text = await readableText(page);
          for (const part of content) expect.soft(text, at).toContain(part);
          if (route.sends) expect.soft(text, at).toContain('sending this form needs javascript');
        }
      }
    });
  }

  test('the header’s groups open by focus', async ({ page, site }) => {
    await page.goto(site.url);
    await page.getByRole('banner').getByRole('button', { name: 'About' }).focus();
    await page.keyboard.press('Tab');
    const first = page.locator('header nav ul ul a').first();
    await expect(first).toBeVisible();
    await expect(first).toBeFocused();
  });

  test('films, their details and blogs are in the HTML', async ({ page, site }) => {
    const [category] = await site.get<{ id: number }[]>('/categories/');
    const films = await site.get<{ id: number; name: string; director_name: string; synopsis: string }[]>(
      `/categories/${category?.id}/films/`,
    );
    expect(films.length).toBeGreaterThan(3);
    for (const path of ['/films', `/films/${category?.id}`]) {
      await page.goto(site.url + path);
      for (const film of films) {
        await expect(page.getByRole('main')).toContainText(film.name);
        await expect(page.getByRole('main')).toContainText(film.director_name);
      }
    }
    await page.goto(`${site.url}/films/${category?.id}?film=${films[0]?.id}`);
    await expect(page.getByRole('main')).toContainText(films[0]?.synopsis.split('\n')[0] ?? '?');
    await page.goto(`${site.url}/blogs`);
    await page.getByRole('link', { name: /^Read More/ }).first().click();
    await expect(page).toHaveURL(/\/blog\/\d+$/);
    await expect(page.getByRole('main').locator('article p').first()).toBeVisible();
  });

  test('a poster of the home page opens as a picture', async ({ page, site, watch }) => {
    // The browser's own page around a picture has styles that the policy blocks.
    watch.expect(/^console error: (Applying inline style|policy style-src)/);
    await page.goto(site.url);
    const tile = page.locator('#screening-schedule a').first();
    const image = await tile.getAttribute('href');
    await tile.click();
    await expect(page).toHaveURL(image ?? '');
  });
});

test('/admin-panel leads to the admin area and leaves no trace in the history', async ({ page, site, watch }) => {
  // Access to the admin area is not tested here.
  watch.expect(/\/admin\//, /console error: Failed to load/);
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/admin/', async (route) => {
    await held;
    await route.fulfill({ contentType: 'text/html', body: '<h1>Admin area</h1>' });
  });
  await page.goto(`${site.url}/contact-us`);
  // It lies outside of the layout. This is read from what the server sends: a page that is about to be left does not
  // always answer.
  const body = (await (await page.request.get(`${site.url}/admin-panel`)).text()).split(/<body[^>]*>/)[1] ?? '';
  expect(body).toContain('Redirecting to Admin Panel...');
  expect(body).not.toMatch(/<(header|nav|footer|aside)[\s>]/);
  // As long as the admin area does not answer, the page itself stays.
  await page.goto(`${site.url}/admin-panel`, { waitUntil: 'commit' });
  await expect(page.getByText('Redirecting to Admin Panel...', { exact: true })).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'Admin area' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/admin/');
  await page.goBack();
  await expect(page).toHaveURL(/contact-us$/);
});
