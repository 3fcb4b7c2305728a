import { addressOf, routes } from '../support/routes.ts';
import { expect, open, type Page, type Site, test as base } from '../support/test.ts';

/** A site with the dates of the specification. */
const test = base.extend<{ site: Site }>({ site: async ({ siteOf }, use) => use(await siteOf('exact')) });

const main = (page: Page) => page.getByRole('main');

test('five awards: four of 100000 rupees with a trophy for first films, 25000 for a film society or one person', async ({ page, site }) => {
  await open(page, await addressOf('/twenty-{slug}', site));
  const awards = main(page).locator('li, article').filter({ hasText: '₹' });
  await expect(awards).toHaveCount(5);
  const texts = (await awards.allTextContents()).map((text) => text.replace(/\s+/g, ' '));
  for (const subject of ['debut Asian film', 'debut Asian director', 'debut Indian film', 'debut Malayalam film']) {
    const award = texts.filter((text) => text.includes(subject));
    expect(award, subject).toEqual([expect.stringMatching(/₹1,00,000/)]);
    expect(award[0], subject).toMatch(/One hundred thousand rupees and a trophy/);
  }
  const society = texts.filter((text) => text.includes('film society or individual'));
  expect(society).toEqual([expect.stringMatching(/₹25,000/)]);
  expect(society[0]).not.toContain('trophy');

  await open(page, `${site.url}/about-us`);
  await expect(main(page)).toContainText(/Four awards of ₹1,00,000 and a trophy each .*Asian film.*Asian director.*Indian film.*Malayalam film/);
  await expect(main(page)).toContainText(/₹25,000, goes to a film society or to one person/);
});

test('the Malayalam award is for a director’s first or second film, wherever it is mentioned', async ({ page, site }) => {
  for (const [path, sentence] of [
    ['/about-us', 'Malayalam Cinema is open to a director’s first or second film.'],
    ['/twenty-{slug}', 'The award for Malayalam cinema is open to a director\'s first or second film.'],
    ['/submit-entry', 'the Malayalam competition takes first and second films'],
    ['/form-malayalam', 'For the award to a debut Malayalam film: a director\'s first or second film.'],
  ] as const) {
    await page.goto(await addressOf(path, site));
    await expect(main(page).getByText(sentence).first(), path).toBeVisible();
  }
  const categories = await site.get<{ id: number; name: string }[]>('/categories/');
  await page.goto(`${site.url}/films/${categories.find(({ name }) => name === 'Malayalam Cinema')?.id}`);
  await expect(main(page).getByText('First and second films in Malayalam.')).toBeVisible();
});

test('the competition is Asian, Indian and Malayalam cinema, of debut films only', async ({ page, site }) => {
  await open(page, site.url);
  await expect(page.locator('#categories').getByRole('listitem').getByRole('link')).toHaveText(['Malayalam Cinema8', 'Indian Cinema10', 'Asian Cinema8']);
  await expect(page.locator('#selections h3')).toHaveText(['Malayalam Cinema 8', 'Indian Cinema 10', 'Asian Cinema 8']);
  await open(page, `${site.url}/about-us`);
  await expect(main(page)).toContainText(
    'The competition is for debut films only, in three sections. Asian Cinema and Indian Cinema are open to first features; Malayalam Cinema is open to a director’s first or second film. This year we selected eight, ten and eight films.',
  );
});

test('outside of the competition: four sections, more than fifty films', async ({ page, site }) => {
  // The site lists those of the competition, and says so where it counts them all.
  await open(page, `${site.url}/films`);
  await expect(main(page).locator('a[aria-haspopup="dialog"]')).toHaveCount(26);
  await open(page, `${site.url}/about-us`);
  await expect(main(page)).toContainText('With the twenty-six films of the competition, which this site lists, they make more than fifty films in eight days; the printed catalogue has them all.');
  const paragraph = main(page).locator('p').filter({ hasText: 'without prizes' });
  await expect(paragraph).toContainText('four sections without prizes: Masters and Classics, Indian Panorama, Shorts and Documentaries, and African Cinema.');
});

test('the science festival: second edition, 8 to 10 August 2025, its programme, fee and schedule', async ({ page, site }) => {
  await open(page, `${site.url}/isff-2025`);
  for (const fact of [
    'The second science film festival: three days, five film packages, about fifty films, and scientists who stay for the questions. 8 to 10 August 2025, Lantern Hall, Kochi.',
    'Each morning begins with a lecture of forty minutes',
    'Registration for the public is 200 rupees for all three days.',
  ])
    await expect(main(page)).toContainText(fact);
  expect(new Set((await main(page).innerText()).match(/\d+ rupees/g)), 'the fee, wherever it is named').toEqual(new Set(['200 rupees']));
  await expect(main(page).locator('section[aria-labelledby="programme-title"] h3')).toHaveText([/8 August 2025/, /9 August 2025/, /10 August 2025/]);
  await expect(main(page).locator('section[aria-labelledby="packages-title"]').getByRole('heading', { level: 3 })).toHaveCount(5);
  await expect(main(page).locator('a[href$=".pdf"]')).toHaveText(/Schedule/);
});

test('the folklore festival: ninth, 10 to 15 January 2026, online and in the hall, in any language', async ({ page, site }) => {
  await open(page, `${site.url}/ifff-9th`);
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('9th Folklore Film Festival');
  for (const fact of [
    'Folklore short and documentary films in any language, online and in the hall. 10 to 15 January 2026.',
    'The ninth edition is hybrid. From 10 to 15 January 2026 every film can be seen online for forty-eight hours, with subtitles; each evening a selection is shown at Lantern Hall in Kochi',
    'Short films and documentaries on folklore, made by anyone, in any language.',
  ])
    await expect(main(page)).toContainText(fact);
});

test('the documentary festival ended on 23 August 2025 at 4:00 PM and gave 80,000 rupees', async ({ page, site }) => {
  await open(page, `${site.url}/ndsf-2025`);
  await expect(main(page)).toContainText('23 August 2025 at 4:00 PM');
  await expect(main(page)).toContainText(/total prize pool of 80,000 rupees/);
});

test('the festival takes place from 24 to 31 October 2025, films are accepted until 1 September 2025', async ({ page, site }) => {
  const { edition } = await site.get<{ edition: Record<string, string> }>('/site/');
  expect(edition).toMatchObject({ starts_on: '2025-10-24', ends_on: '2025-10-31', submission_deadline: '2025-09-01' });
  await open(page, site.url);
  const short = page.getByRole('complementary', { name: 'The festival in short' });
  await expect(short.getByRole('listitem').nth(1)).toHaveText('24 to 31 October 2025');
  await expect(short.getByRole('listitem').nth(3)).toHaveText('Submissions until 1 September 2025');
  await page.goto(`${site.url}/submit-entry`);
  await expect(main(page)).toContainText('Last Date for Submission: September 1, 2025');
  for (const path of ['/form-asian', '/form-indian', '/form-malayalam']) {
    await page.goto(site.url + path);
    await expect(main(page).locator('dl > div').filter({ hasText: 'Last Date for Submission' }).locator('dd'), path).toHaveText('1 September 2025');
  }
  await open(page, `${site.url}/about-us`);
  await expect(main(page)).toContainText('from 24 to 31 October 2025');
});

test('it is the 20th edition, of an international film festival in a city in Kerala, India', async ({ page, site }) => {
  await open(page, site.url);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Velicham International Film Festival');
  await expect(page.getByText('20th edition', { exact: true })).toBeVisible();
  const short = page.getByRole('complementary', { name: 'The festival in short' });
  await expect(short.getByRole('listitem')).toHaveText(['20th Velicham International Film Festival', '24 to 31 October 2025', 'Kochi, Kerala, India', 'Submissions until 1 September 2025']);
});

test('no page requires sign-in or sets a cookie', async ({ request, site }) => {
  for (const { path, status = 200 } of routes) {
    const address = await addressOf(path, site);
    const page = await request.get(address);
    expect([page.status(), page.url()], path).toEqual([status, address]);
    const html = await page.text();
    expect(html, path).toContain('<main');
    expect(html, path).not.toMatch(/type="password"|href="[^"]*(login|log-in|sign-?in)|\b(log|sign) in\b/i);
  }
  expect((await request.storageState()).cookies).toEqual([]);
});
