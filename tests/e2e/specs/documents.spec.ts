import { readFile } from 'node:fs/promises';
import { expect, follow, open, test } from '../support/test.ts';

test('an issue of the magazine is fetched and saved under its own name', async ({ page, site, watch }) => {
  const issues = await site.get<{ name: string; magazine: string }[]>('/kottaka-magazines/');
  const [issue] = issues;
  await open(page, `${site.url}/kottaka`);
  const fetched = page.waitForResponse((response) => response.url() === issue?.magazine);
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: `Download PDF: ${issue?.name}` }).click();
  expect((await fetched).status()).toBe(200);
  const download = await saved;
  expect(download.url()).toMatch(/^blob:/);
  expect(download.suggestedFilename()).toBe(`${issue?.name}.pdf`);
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(bytes.length).toBeGreaterThan(50_000);
  expect(watch.requests.filter(({ url }) => url.endsWith('.pdf'))).toHaveLength(1);
  for (const { magazine } of issues) await expect(page.locator(`a[href="${magazine}"]`)).toHaveText('Download PDF');
});

test('the magazine page reads a plain array and a results page', async ({ page, site }) => {
  const issues = await site.get<{ name: string }[]>('/kottaka-magazines/');
  for (const answer of [issues, { count: issues.length, next: null, previous: null, results: issues }]) {
    await page.route('**/api/kottaka-magazines/', (route) => route.fulfill({ json: answer }));
    await open(page, `${site.url}/success`);
    await follow(page, '/kottaka');
    await expect(page.getByRole('link', { name: /^Download PDF/ })).toHaveCount(issues.length);
    for (const { name } of issues) await expect(page.getByRole('main')).toContainText(name);
    await page.unroute('**/api/kottaka-magazines/');
  }
});

const documents: Record<string, string[]> = {
  '/isff-2025': ['Schedule of the science film festival'],
  '/ifff-9th': ['IFFOC 2025', '6th IFFF', '5th IFFF'],
  '/form-asian': ['Rules for Asian debut films'],
  '/form-indian': ['Rules for Indian debut films'],
  '/form-malayalam': ['Rules for Malayalam debut films'],
  '/ndsf-2025': [],
};

for (const [path, titles] of Object.entries(documents)) {
  test(`${path} links to its own documents and to no others`, async ({ page, siteOf }) => {
    const site = await siteOf('demo');
    await open(page, site.url + path);
    const links = page.locator('main a[href$=".pdf"]');
    await expect(links).toHaveCount(titles.length);
    // On a form's page the rules are linked in the declaration.
    if (path.startsWith('/form-')) {
      const declaration = page.locator('form section').filter({ has: page.getByRole('heading', { name: /Declaration/ }) });
      await expect(declaration.locator('a[href$=".pdf"]')).toHaveCount(titles.length);
    }
    for (const [place, title] of titles.entries()) {
      const link = links.nth(place);
      await expect(link).toContainText(title);
      await expect(link).toHaveAttribute('target', '_blank');
      const answer = await page.request.get((await link.getAttribute('href')) ?? '');
      expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
      expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-');
    }
  });
}

test('the menu leads to the programmes of earlier years', async ({ page, siteOf }) => {
  const site = await siteOf('demo');
  await open(page, site.url);
  const header = page.getByRole('banner');
  await header.getByRole('button', { name: 'IFFF' }).click();
  for (const name of ['IFFOC 2025 (PDF)', '6th IFFF (PDF)', '5th IFFF (PDF)'])
    await expect(header.getByRole('link', { name })).toHaveAttribute('href', /\.pdf$/);
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
