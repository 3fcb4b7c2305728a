import { motionReady, recordMovements } from '../support/motion.ts';
import { addressOf, routes } from '../support/routes.ts';
import { expect, follow, open, test } from '../support/test.ts';

test('the header has the links of the specification', async ({ page, site }) => {
  await open(page, `${site.url}/contact-us`);
  const header = page.getByRole('banner');
  const groups = await header.locator('nav > ul > li:has(button)').evaluateAll((all) =>
    all.map((group) => [group.querySelector('button')?.textContent, ...[...group.querySelectorAll('li a')].map((link) => `${link.textContent}: ${link.getAttribute('href')?.replace(/^http.*\.pdf$/, 'a PDF')}`)]),
  );
  expect(groups).toEqual([
    ['About', 'About Velicham: /about-us', 'Twenty Velicham: /twenty-velicham', 'History: /history', 'Team: /team'],
    ['Festivals and Awards', 'Science film festival: /isff-2025', 'Documentary and short film festival: /ndsf-2025', 'Awards and namesakes: /twenty-velicham'],
    ['IFFF', '9th folklore film festival: /ifff-9th', 'IFFOC 2025 (PDF): a PDF', '6th IFFF (PDF): a PDF', '5th IFFF (PDF): a PDF'],
  ]);

  await header.getByRole('button', { name: 'About', exact: true }).hover();
  await header.getByRole('link', { name: 'History' }).click();
  await expect(page).toHaveURL(`${site.url}/history`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('History');
  await header.getByRole('link', { name: /Velicham, home/ }).click();
  await expect(page).toHaveURL(`${site.url}/`);
});

test('the current page is marked in the menu', async ({ page, site }) => {
  await open(page, `${site.url}/films`);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Films' })).toHaveAttribute('aria-current', 'page');
  await expect(page.locator('header nav [aria-current]')).toHaveCount(1);
});

test('header, mobile menu and footer have the same links', async ({ page, site }) => {
  await open(page, `${site.url}/contact-us`);
  const hrefs = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((link) => link.getAttribute('href')).sort());
  const wide = await hrefs('header nav a, header > ul a');
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect.poll(() => hrefs('dialog nav a')).toEqual(wide);
  const footer = await hrefs('footer nav a');
  for (const path of ['/films', '/history', '/team', '/form', '/submit-entry', '/download', '/contact-us', '/privacy-and-terms'])
    expect(footer).toContain(path);
});

test('the footer has quick links, the contact details and the links elsewhere', async ({ page, site }) => {
  await open(page, `${site.url}/contact-us`);
  const footer = page.getByRole('contentinfo');
  const links = await footer.getByRole('link').evaluateAll((all) => all.map((link) => `${link.textContent}: ${link.getAttribute('href')}`));
  expect(links).toEqual([
    'Films: /films',
    'History: /history',
    'Team: /team',
    'Magazine: /kottaka',
    'Blog: /blogs',
    'Submit a film: /submit-entry',
    'Delegate form: /form',
    'Festival logo: /download',
    'Contact: /contact-us',
    'Privacy and terms: /privacy-and-terms',
    'office@velicham.example: mailto:office@velicham.example',
    '+91 484 000 0000: tel:+914840000000',
    'Instagram: https://www.instagram.com/',
    'YouTube: https://www.youtube.com/',
    'Facebook: https://www.facebook.com/',
  ]);
  await expect(footer.getByRole('navigation', { name: 'Quick links' }).getByRole('link')).toHaveCount(10);
  await expect(footer.getByText('Velicham Festival Office, Boat Jetty Road, Kochi 682011, Kerala, India', { exact: true })).toBeVisible();
  for (const link of await footer.getByRole('link').all()) await expect(link).toBeVisible();
});

test('the mobile menu slides in, and does not move with reduced motion', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const movements = await recordMovements(page);
  const slid = async () => (await movements.seen()).filter(({ inside, property }) => inside === 'dialog' && property === 'transform').map(({ from, to }) => `${from} ${to}`);
  await open(page, `${site.url}/history`);
  await motionReady(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu.locator('details > summary')).toHaveText(['About', 'Festivals and Awards', 'IFFF']);
  await expect.poll(slid).toEqual(['translateX(100%) translateX(0%)']);
  await expect.poll(async () => {
    const box = await menu.locator('nav').locator('..').boundingBox();
    return { right: (box?.x ?? 0) + (box?.width ?? 0), height: box?.height };
  }, 'at the edge').toEqual({ right: 360, height: 800 });
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  expect(await slid()).toContain('translateX(0%) translateX(100%)');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const before = await slid();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(menu).toBeVisible();
  expect(await slid()).toEqual(before);
});

test('Back with an open menu goes one page back, a link with an open picture one page on, and nothing stays open', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page, site.url);
  await follow(page, '/history');
  await expect(page).toHaveURL(`${site.url}/history`);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.locator('#screening-schedule a[aria-haspopup="dialog"]').first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await follow(page, '/history');
  await expect(page).toHaveURL(`${site.url}/history`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.evaluate(() => scrollTo({ top: 500, behavior: 'instant' }));
  await expect.poll(() => page.evaluate(() => scrollY), 'the page scrolls again').toBe(500);
});

test('links within pages lead to the right pages', async ({ page, site }) => {
  const main = page.getByRole('main');
  await open(page, `${site.url}/submit-entry`);
  await expect(main).toContainText(/Last Date for Submission: [A-Z][a-z]+ \d{1,2}, \d{4}/);
  for (const award of ['asian', 'indian', 'malayalam']) {
    await follow(page, '/submit-entry');
    await main.getByRole('link', { name: new RegExp(`Apply Now: ${award}`, 'i') }).click();
    await expect(page).toHaveURL(`${site.url}/form-${award}`);
  }
  await open(page, `${site.url}/success`);
  await expect(main).toContainText('Thank you! Your submission has been received.');
  await main.getByRole('link', { name: 'Go Home' }).click();
  await expect(page).toHaveURL(`${site.url}/`);

  await expect(page.getByRole('heading', { name: 'Competition Film Categories & Schedule' })).toBeAttached();
  const [category] = await site.get<{ id: number; name: string }[]>('/categories/');
  await page.locator('#categories').getByRole('link', { name: category?.name }).click();
  await expect(page).toHaveURL(`${site.url}/films/${category?.id}`);
  await page.goBack();
  await page.locator('#delegates').getByRole('link').first().click();
  await expect(page).toHaveURL(`${site.url}/form`);

  await open(page, `${site.url}/blogs`);
  await main.getByRole('link', { name: /^Read More/ }).first().click();
  await expect(page).toHaveURL(/\/blog\/\d+$/);
  await main.getByRole('link', { name: /Back/ }).click();
  await expect(page).toHaveURL(`${site.url}/blogs`);
});

test('the page for unknown addresses explains itself and links to the home page', async ({ page, site, watch }) => {
  watch.expect(/^status 404/, /^console error: Failed to load.*404/);
  await open(page, `${site.url}/no/such/page`);
  await expect(page.getByRole('main')).toContainText('Oops! We couldn\'t find that page.');
  await page.getByRole('main').getByRole('link').first().click();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(page.locator('#categories')).toBeVisible();
});

test('every link of every page leads to an existing page', async ({ request, site }) => {
  const found = new Map<string, string>();
  for (const route of routes.filter(({ status }) => status !== 404)) {
    const address = await addressOf(route.path, site);
    const html = await (await request.get(address)).text();
    for (const [, href] of html.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const url = new URL((href ?? '').replaceAll('&amp;', '&'), address);
      if (url.origin === site.url) found.set(url.href, address);
    }
  }
  expect(found.size).toBeGreaterThan(30);
  for (const [href, from] of found) {
    const url = new URL(href);
    const response = await request.get(url.origin + url.pathname + url.search);
    expect(response.status(), `${href} on ${from}`).toBe(200);
    if (url.hash) expect(await response.text(), `${href} on ${from}`).toContain(`id="${decodeURIComponent(url.hash.slice(1))}"`);
  }
});

test('the title of the tab follows navigation', async ({ page, site }) => {
  await open(page, `${site.url}/success`);
  for (const path of ['/history', '/films', '/blogs', '/form']) {
    await follow(page, path);
    await expect(page).toHaveURL(site.url + path);
    const html = await (await page.request.get(site.url + path)).text();
    const title = await page.evaluate((html) => new DOMParser().parseFromString(html, 'text/html').title, html);
    await expect(page).toHaveTitle(title);
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', site.url + path);
  }
});

test.describe('the scroll position', () => {
  const scrolled = 'the distance from the top';

  test('a new page starts at its top; Back restores the scroll position', async ({ page, site }) => {
    await open(page, `${site.url}/history`);
    await page.evaluate(() => scrollTo(0, 900));
    await expect.poll(() => page.evaluate(() => scrollY), scrolled).toBe(900);
    await follow(page, '/privacy-and-terms');
    await expect(page).toHaveURL(/privacy/);
    await expect.poll(() => page.evaluate(() => scrollY), scrolled).toBe(0);
    await page.goBack();
    await expect(page).toHaveURL(/history$/);
    await expect.poll(() => page.evaluate(() => scrollY), scrolled).toBe(900);
  });

  test('an anchor is scrolled into view', async ({ page, site }) => {
    const [, namesake] = await site.get<{ slug: string }[]>('/namesakes/');
    const target = `${new URL(await addressOf('/twenty-{slug}', site)).pathname}#${namesake?.slug}`;
    const life = page.locator(`#${namesake?.slug}`);
    await open(page, site.url + target);
    await expect(life).toBeInViewport();
    await open(page, `${site.url}/history`);
    await page.evaluate(() => scrollTo(0, 900));
    await follow(page, target);
    await expect(page).toHaveURL(site.url + target);
    await expect(life).toBeInViewport();
    await expect.poll(() => life.evaluate((element) => Math.round(element.getBoundingClientRect().top))).toBeLessThan(300);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300);
  });
});
