import type { Route } from '@playwright/test';
import { expect, follow, open, type Page, test } from '../support/test.ts';

/**
 * Loading, empty and error texts of every list, word for word. The page is reached by a link inside the site, as only
 * then the browser asks the API itself; what the API answers is up to the test.
 */
interface States {
  /** The page; `{category}` and `{blog}` stand for the first of them. */
  path: string;
  /** The call that is held up, emptied or broken. */
  call: string;
  loading: string;
  empty?: string;
  error?: string;
  /** What the API answers where there is nothing; an empty list if nothing is said. */
  nothing?: object;
  /** The heading that stands over all of them. */
  heading: string;
  /** The block that is there while it loads and once the data are there, and nowhere else. */
  block?: string;
}

const lists: States[] = [
  {
    path: '/',
    call: '/categories/',
    heading: 'Competition Film Categories & Schedule',
    loading: 'Loading categories...',
    error: 'Failed to load categories !!!',
    empty: 'No categories found',
  },
  {
    path: '/films',
    call: '/categories/',
    heading: 'Films',
    loading: 'Loading film data...',
    error: 'Failed to load categories !!!',
    empty: 'No categories found',
  },
  {
    path: '/films',
    call: '/categories/{category}/films/',
    heading: '{name}',
    loading: 'Loading films...',
    error: 'Failed to load films for {name}',
    empty: 'No films found in this category yet.',
  },
  {
    path: '/films/{category}',
    call: '/categories/{category}/films/parts/1/',
    heading: 'Films',
    nothing: { number: 1, previous: null, next: null, count: 0, films: [] },
    loading: 'Loading films...',
    error: 'Failed to load films !!!',
    empty: 'Selection in Progress',
  },
  { path: '/blogs', call: '/blogs/', heading: 'Velicham Blog', loading: 'Loading...', empty: 'No blogs Published !' },
  {
    path: '/kottaka',
    call: '/kottaka-magazines/',
    heading: 'Kottaka',
    loading: 'Loading ...',
    error: 'Unable to load magazines. Please try again later.',
    empty: 'No magazines available at the moment.',
  },
  { path: '/', call: '/posters/', heading: 'Posters', loading: 'Loading posters...', block: 'posters' },
  { path: '/', call: '/daily-events/', heading: 'DAILY EVENTS', loading: 'Loading Events...', block: 'daily-events' },
];

const broken = /^(status 50\d|console error: Failed to load resource|console warning: \w+: \S+: 50\d)/;
/** What the page itself has to say about it, to developers alone. */
const logged = /^console warning: .*503/;
const fail = (route: Route) => route.fulfill({ status: 503, json: { error: 'out of order' } });

/** Puts the first category and blog into an address or a text. */
async function filled(site: { get<T>(path: string): Promise<T> }) {
  const [category] = await site.get<{ id: number; name: string }[]>('/categories/');
  const [blog] = await site.get<{ id: number; title: string }[]>('/blogs/');
  return (text: string) =>
    text
      .replace('{category}', String(category?.id))
      .replace('{name}', category?.name ?? '?')
      .replace('{blog}', String(blog?.id));
}

/** Opens a page that asks nothing of the API and leads on to `path`. */
async function goTo(page: Page, url: string, path: string) {
  await open(page, `${url}/success`);
  await follow(page, path);
  await expect(page).toHaveURL(url + path);
}

/** The exact text, once, in the page's own part; of several categories on a page, in that of this call. */
const said = (page: Page, text: string, call = '') => {
  const category = new URL(page.url()).pathname === '/films' && /categories\/(\d+)\//.exec(call)?.[1];
  const part = category ? page.locator(`#category-${category}`) : page.getByRole('main');
  return part.getByText(text, { exact: true });
};

for (const { path, call, heading, loading, empty, error, block, nothing = [] } of lists) {
  const stands = (page: Page, name: string) => expect(page.getByRole('main').getByRole('heading', { name, exact: true })).toBeVisible();

  test(`${path}: ${call} is loading`, async ({ page, site }) => {
    const fill = await filled(site);
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route(`**/api${fill(call)}`, async (route) => {
      await held;
      await route.continue();
    });
    await goTo(page, site.url, fill(path));
    await expect(said(page, loading, fill(call))).toBeVisible();
    await stands(page, fill(heading));
    if (block) await expect(page.locator(`#${block}`)).toContainText(loading);
    release();
    await expect(said(page, loading, fill(call))).toHaveCount(0);
    if (block) await expect(page.locator(`#${block}`)).toBeVisible();
    // A category's page is called after its category then.
    if (!path.includes('{category}')) await stands(page, fill(heading));
  });

  if (empty)
    test(`${path}: ${call} is empty`, async ({ page, site }) => {
      const fill = await filled(site);
      await page.route(`**/api${fill(call)}`, (route) => route.fulfill({ json: nothing }));
      await goTo(page, site.url, fill(path));
      await expect(said(page, empty, fill(call))).toBeVisible();
      await expect(said(page, loading, fill(call))).toHaveCount(0);
      // That selection is in progress is a heading itself.
      if (!path.includes('{category}')) await stands(page, fill(heading));
    });

  test(`${path}: ${call} fails`, async ({ page, site, watch }) => {
    watch.expect(broken);
    const fill = await filled(site);
    await page.route(`**/api${fill(call)}`, fail);
    const answered = page.waitForResponse(`**/api${fill(call)}`);
    await goTo(page, site.url, fill(path));
    await answered;
    if (error) {
      await expect(said(page, fill(error))).toBeVisible();
      await stands(page, fill(heading));
      await page.unroute(`**/api${fill(call)}`);
      await said(page, fill(error)).locator('..').getByRole('button', { name: 'Try again' }).click();
      await expect(said(page, fill(error))).toHaveCount(0);
    } else {
      // Only logged: nothing on the page speaks of it.
      await expect.poll(() => watch.noted(logged)).toBe(true);
      // What the page makes of it is drawn by then.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await expect(page.getByRole('main')).not.toContainText(/fail|error|unable|wrong|sorry|problem|cannot|could not/i);
      if (path !== '/') {
        await stands(page, fill(heading));
        await expect(page.getByRole('main').locator('article, main li')).toHaveCount(0);
      }
      if (block) await expect(page.locator(`#${block}`)).toHaveCount(0);
      if (empty) await expect(said(page, empty, fill(call))).toHaveCount(0);
    }
  });
}

for (const [call, block] of [
  ['/upcoming-events/', 'upcoming-events'],
  ['/screening-schedule/', 'screening-schedule'],
]) {
  test(`${call} fails: its section stays away and the others stay`, async ({ page, site, watch }) => {
    watch.expect(broken);
    await page.route(`**/api${call}`, fail);
    const answered = page.waitForResponse(`**/api${call}`);
    await goTo(page, site.url, '/');
    await answered;
    await expect.poll(() => watch.noted(logged)).toBe(true);
    await expect(page.locator('#categories')).toBeVisible();
    await expect(page.locator(`#${block}`)).toHaveCount(0);
    await expect(page.getByRole('main')).not.toContainText(/fail|unable|wrong/i);
  });
}

test('a blog: Loading... while it comes, and where it does not come, with a way to ask again', async ({
  page,
  site,
  watch,
}) => {
  watch.expect(broken);
  const fill = await filled(site);
  await page.route(`**/api${fill('/blog/{blog}/')}`, fail);
  await goTo(page, site.url, fill('/blog/{blog}'));
  await expect(said(page, 'Loading...')).toBeVisible();
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  expect(watch.noted(logged)).toBe(true);
  await expect(said(page, 'Loading...')).toBeVisible();
  await page.unroute(`**/api${fill('/blog/{blog}/')}`);
  await again.click();
  await expect(page.getByRole('main').locator('article h1')).toBeVisible();
});

test('what the server does not know answers 404 with the page’s own words', async ({ page, site, watch }) => {
  watch.expect(/^status 404: \S+\/(films|blog)\/99999$/, /^console error: Failed to load.*404/);
  expect((await open(page, `${site.url}/films/99999`))?.status()).toBe(404);
  await expect(said(page, 'Failed to load films !!!')).toBeVisible();
  expect((await open(page, `${site.url}/blog/99999`))?.status()).toBe(404);
  await expect(said(page, 'Loading...')).toBeVisible();
  expect(watch.calls()).toEqual([]);
});

test('a category without films is in progress', async ({ page, siteOf }) => {
  const site = await siteOf('hard');
  const categories = await site.get<{ id: number; slug: string }[]>('/categories/');
  const empty = categories.find(({ slug }) => slug === 'empty');
  await open(page, `${site.url}/films/${empty?.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Selection in Progress' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/reviewed.*updated after the selection/);
  await open(page, `${site.url}/films`);
  await expect(page.getByText('No films found in this category yet.', { exact: true })).toHaveCount(1);
});

test('empty lists say so in the page that the server sends', async ({ page, siteOf }) => {
  const { url } = await siteOf('empty');
  for (const [path, text] of [
    ['/', 'No categories found'],
    ['/films', 'No categories found'],
    ['/blogs', 'No blogs Published !'],
    ['/kottaka', 'No magazines available at the moment.'],
  ] as const) {
    await open(page, url + path);
    await expect(said(page, text)).toBeVisible();
  }
});
