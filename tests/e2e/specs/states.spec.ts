import type { Route } from '@playwright/test';
import { stopClock } from '../support/frames.ts';
import { expect, follow, holdRequests, open, type Page, test } from '../support/test.ts';

/**
 * Loading, empty and error texts of every list. The page is reached by client-side navigation, as only then the browser
 * calls the API itself; the test controls the responses.
 */
interface States {
  /** The path of the page; `{category}` and `{blog}` are the ids of the first ones. */
  path: string;
  /** The API call that is delayed, emptied or broken. */
  call: string;
  loading: string;
  empty?: string;
  error?: string;
  /** The empty response; an empty list by default. */
  nothing?: object;
  /** The heading that is shown in all states. */
  heading: string;
  /** The block that is shown only while loading and with data. */
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
/** The page's own log message. */
const logged = /^console warning: .*503/;
const fail = (route: Route) => route.fulfill({ status: 503, json: { error: 'out of order' } });

/** Returns a function that inserts the first category and blog into a text. */
async function filled(site: { get<T>(path: string): Promise<T> }) {
  const [category] = await site.get<{ id: number; name: string }[]>('/categories/');
  const [blog] = await site.get<{ id: number; title: string }[]>('/blogs/');
  return (text: string) =>
    text
      .replace('{category}', String(category?.id))
      .replace('{name}', category?.name ?? '?')
      .replace('{blog}', String(blog?.id));
}

/** Navigates to `path` from a page that makes no API calls. */
async function goTo(page: Page, url: string, path: string) {
  await open(page, `${url}/success`);
  await follow(page, path);
  await expect(page).toHaveURL(url + path);
}

/** The exact text within the main content, or within the category of the call on a page with several. */
const message = (page: Page, text: string, call = '') => {
  const category = new URL(page.url()).pathname === '/films' && /categories\/(\d+)\//.exec(call)?.[1];
  const part = category ? page.locator(`#category-${category}`) : page.getByRole('main');
  return part.getByText(text, { exact: true });
};

/** Everything that can be read in the main content, but for the running countdown and a block. */
const words = (page: Page, block = '') =>
  page.getByRole('main').evaluate((main: HTMLElement, block) => {
    const hidden = [...main.querySelectorAll<HTMLElement>(`[role="timer"]${block && `, #${block}`}`)];
    for (const part of hidden) part.hidden = true;
    const text = main.innerText;
    for (const part of hidden) part.hidden = false;
    return text.split(/\s+/).join(' ').trim();
  }, block);

/** What can be read on the home page next to a block. */
async function wordsWithout(page: Page, url: string, block: string): Promise<string> {
  await goTo(page, url, '/');
  await expect(page.locator(`#${block} figure, #${block} li`).first()).toBeAttached();
  // The last block that comes: all data are there.
  await expect.poll(() => words(page)).not.toContain('Loading');
  return words(page, block);
}

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
    await expect(message(page, loading, fill(call))).toBeVisible();
    await stands(page, fill(heading));
    if (block) await expect(page.locator(`#${block}`)).toContainText(loading);
    release();
    await expect(message(page, loading, fill(call))).toHaveCount(0);
    if (block) await expect(page.locator(`#${block}`)).toBeVisible();
    // With data, a category's page has the category's name as its heading.
    if (!path.includes('{category}')) await stands(page, fill(heading));
  });

  if (empty)
    test(`${path}: ${call} is empty`, async ({ page, site }) => {
      const fill = await filled(site);
      await page.route(`**/api${fill(call)}`, (route) => route.fulfill({ json: nothing }));
      await goTo(page, site.url, fill(path));
      await expect(message(page, empty, fill(call))).toBeVisible();
      await expect(message(page, loading, fill(call))).toHaveCount(0);
      // The message about the selection is the heading itself.
      if (!path.includes('{category}')) await stands(page, fill(heading));
    });

  test(`${path}: ${call} fails`, async ({ page, site, watch }) => {
    watch.expect(broken);
    const fill = await filled(site);
    const rest = block ? await wordsWithout(page, site.url, block) : 'Velicham Blog ബ്ലോഗ് Try again';
    if (error) await stopClock(page);
    await page.route(`**/api${fill(call)}`, fail);
    const answered = page.waitForResponse(`**/api${fill(call)}`);
    await goTo(page, site.url, fill(path));
    await answered;
    if (error) {
      await expect(message(page, fill(error))).toBeVisible();
      await stands(page, fill(heading));
      await page.unroute(`**/api${fill(call)}`);
      await message(page, fill(error)).locator('..').getByRole('button', { name: 'Try again' }).click();
      await expect(message(page, fill(error))).toHaveCount(0);
    } else {
      // Only logged.
      await expect.poll(() => watch.noted(logged)).toBe(true);
      await expect.poll(() => words(page), 'and nothing else is there').toBe(rest);
    }
  });
}

for (const [call, block] of [
  ['/upcoming-events/', 'upcoming-events'],
  ['/screening-schedule/', 'screening-schedule'],
] as const) {
  test(`${call} fails: its section is absent and the others stay`, async ({ page, site, watch }) => {
    watch.expect(broken);
    const rest = await wordsWithout(page, site.url, block);
    await page.route(`**/api${call}`, fail);
    await goTo(page, site.url, '/');
    await expect.poll(() => watch.noted(logged)).toBe(true);
    await expect.poll(() => words(page)).toBe(rest);
    await expect(page.locator(`#${block}`)).toHaveCount(0);
  });
}

test('a blog shows Loading... while it loads, then itself', async ({ page, site }) => {
  const fill = await filled(site);
  const { title } = await site.get<{ title: string }>(fill('/blog/{blog}/'));
  const release = await holdRequests(page, `**/api${fill('/blog/{blog}/')}`);
  await goTo(page, site.url, fill('/blog/{blog}'));
  const main = page.getByRole('main');
  await expect.poll(() => words(page)).toBe('Back to the blog Velicham Blog Loading...');
  release();
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(main.locator('article p').first()).toBeVisible();
  await expect(message(page, 'Loading...')).toHaveCount(0);
});

test('a blog that fails to load keeps Loading..., with a retry button', async ({
  page,
  site,
  watch,
}) => {
  watch.expect(broken);
  const fill = await filled(site);
  await stopClock(page);
  await page.route(`**/api${fill('/blog/{blog}/')}`, fail);
  await goTo(page, site.url, fill('/blog/{blog}'));
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  expect(watch.noted(logged)).toBe(true);
  expect(await words(page)).toBe('Back to the blog Velicham Blog Loading... Try again');
  await page.unroute(`**/api${fill('/blog/{blog}/')}`);
  await again.click();
  await expect(page.getByRole('main').locator('article h1')).toBeVisible();
});

test('unknown ids get 404 with the texts of their page', async ({ page, site, watch }) => {
  watch.expect(/^status 404: \S+\/(films|blog)\/99999$/, /^console error: Failed to load.*404/);
  expect((await open(page, `${site.url}/films/99999`))?.status()).toBe(404);
  await expect(message(page, 'Failed to load films !!!')).toBeVisible();
  expect((await open(page, `${site.url}/blog/99999`))?.status()).toBe(404);
  await expect(message(page, 'Loading...')).toBeVisible();
  expect(watch.calls()).toEqual([]);
});

test('a category without films is in progress', async ({ page, siteOf }) => {
  const site = await siteOf('hard');
  const categories = await site.get<{ id: number; slug: string }[]>('/categories/');
  const empty = categories.find(({ slug }) => slug === 'empty');
  await open(page, `${site.url}/films/${empty?.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Selection in Progress' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/movies of this category are being reviewed.*updated after the selection/);
  await open(page, `${site.url}/films`);
  await expect(page.getByText('No films found in this category yet.', { exact: true })).toHaveCount(1);
});

test('the server renders empty lists with a message', async ({ page, siteOf }) => {
  const { url } = await siteOf('empty');
  for (const [path, text] of [
    ['/', 'No categories found'],
    ['/films', 'No categories found'],
    ['/blogs', 'No blogs Published !'],
    ['/kottaka', 'No magazines available at the moment.'],
  ] as const) {
    await open(page, url + path);
    await expect(message(page, text)).toBeVisible();
  }
});
