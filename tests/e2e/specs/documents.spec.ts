import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { root } from '../support/program.ts';
import { expect, follow, open, type Page, test } from '../support/test.ts';

/** The bytes of a PDF of the demonstration. */
const pdfOf = (name: string) => readFile(join(root, `config/editions/pictures/${name}.pdf`));

test('an issue of the magazine is fetched and saved under its own name', async ({ page, site, watch }) => {
  await open(page, `${site.url}/kottaka`);
  const issues = page.getByRole('main').locator('article');
  await expect(issues).toHaveText([
    'Kottaka – The audienceVol. 2Issue 2Download PDF',
    'Kottaka – Water on screenVol. 2Issue 1Download PDF',
    'Kottaka – First filmsVol. 1Issue 2Download PDF',
    'Kottaka – The dark roomVol. 1Issue 1Download PDF',
  ]);
  for (const [place, [name, file]] of [
    ['Kottaka – The audience', 'the-audience'],
    ['Kottaka – Water on screen', 'water-on-screen'],
    ['Kottaka – First films', 'first-films'],
    ['Kottaka – The dark room', 'the-dark-room'],
  ].entries()) {
    const cover = issues.nth(place).locator('img');
    await cover.scrollIntoViewIfNeeded();
    await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: `Download PDF: ${name}`, exact: true }).click();
    const download = await saved;
    expect(download.url()).toMatch(/^blob:/);
    expect(download.suggestedFilename()).toBe(`${name}.pdf`);
    expect((await readFile(await download.path())).equals(await pdfOf(`magazines/${file}`)), `the file of ${name}`).toBe(true);
  }
  expect(watch.requests.filter(({ url }) => url.endsWith('.pdf'))).toHaveLength(4);
});

test('the magazine page reads a plain array and a results page', async ({ page, site }) => {
  const issues = await site.get<{ name: string }[]>('/kottaka-magazines/');
  for (const answer of [issues, { count: issues.length, next: null, previous: null, results: issues }]) {
    await page.route('**/api/kottaka-magazines/', (route) => route.fulfill({ json: answer }));
    await open(page, `${site.url}/success`);
    await follow(page, '/kottaka');
    await expect(page.getByRole('link', { name: /^Download PDF/ })).toHaveCount(4);
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(['Kottaka – The audience', 'Kottaka – Water on screen', 'Kottaka – First films', 'Kottaka – The dark room']);
    await page.unroute('**/api/kottaka-magazines/');
  }
});

const documents = {
  '/isff-2025': [['Schedule of the science film festival', 'isff-schedule']],
  '/ifff-9th': [
    ['IFFOC 2025: folklore films online, the catalogue', 'iffoc-2025'],
    ['6th IFFF: programme', 'ifff-6'],
    ['5th IFFF: programme', 'ifff-5'],
  ],
  '/form-asian': [['Rules for Asian debut films', 'rules-asian']],
  '/form-indian': [['Rules for Indian debut films', 'rules-indian']],
  '/form-malayalam': [['Rules for Malayalam debut films', 'rules-malayalam']],
  '/ndsf-2025': [],
} as const satisfies Record<string, readonly (readonly [title: string, file: string])[]>;

/** Expects links to lead to these PDFs of the demonstration, and to nothing else. */
async function expectFiles(page: Page, links: Locator, expected: readonly (readonly [title: string, file: string])[]) {
  await expect(links).toHaveText(expected.map(([title]) => new RegExp(`^${title.replace(/[()]/g, '\\$&')}(PDF, \\d+ kB| \\(PDF, in a new tab\\))?$`)));
  for (const [place, [title, file]] of expected.entries()) {
    const answer = await page.request.get((await links.nth(place).getAttribute('href')) ?? '');
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
    expect((await answer.body()).equals(await pdfOf(`documents/${file}`)), `the file of ${title}`).toBe(true);
  }
}

for (const [path, expected] of Object.entries(documents)) {
  test(`${path} links to its own documents and to no others`, async ({ page, site }) => {
    await open(page, site.url + path);
    const links = page.locator('main a[href$=".pdf"]');
    await expectFiles(page, links, expected);
    for (const link of await links.all()) await expect(link).toHaveAttribute('target', '_blank');
    // On a form's page the rules are linked in the declaration.
    if (path.startsWith('/form-')) {
      const declaration = page.locator('form section').filter({ has: page.getByRole('heading', { name: /Declaration/ }) });
      await expect(declaration.locator('a[href$=".pdf"]')).toHaveCount(expected.length);
    }
  });
}

test('the menu leads to the programmes of earlier years', async ({ page, site }) => {
  await open(page, site.url);
  const header = page.getByRole('banner');
  await header.getByRole('button', { name: 'IFFF' }).click();
  await expectFiles(page, header.locator('a[href$=".pdf"]'), [
    ['IFFOC 2025 (PDF)', 'iffoc-2025'],
    ['6th IFFF (PDF)', 'ifff-6'],
    ['5th IFFF (PDF)', 'ifff-5'],
  ]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  // Chromium reports scripts as blocked.
  test.beforeEach(({ watch }) => watch.expect(/^failed: \S+\/assets\/\S+\.js csp$/));

  test('the science festival shows three days, five packages and what is in them', async ({ page, siteOf }) => {
    const site = await siteOf('exact');
    await page.goto(`${site.url}/isff-2025`);
    const days = page.locator('section[aria-labelledby="programme-title"] h3');
    await expect(days).toHaveText(['Friday 8 August 2025', 'Saturday 9 August 2025', 'Sunday 10 August 2025']);
    await expect(page.getByText('Lecture', { exact: true })).toHaveCount(3);
    const packages = page.locator('section[aria-labelledby="packages-title"]');
    await expect(packages.getByRole('heading', { level: 3 })).toHaveCount(5);
    const films = packages.getByText('The Yeast Opera, India, 7 min');
    await expect(films).toBeHidden();
    await packages.getByText('The films of Under the Lens').click();
    await expect(films).toBeVisible();
    await expect(packages.locator('details li')).toHaveCount(50);
  });
});
