import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { axe, faults } from '../support/axe.ts';
import { run, start, temporaryFolder } from '../support/program.ts';
import { items, type Released } from '../support/programme.ts';
import { largeProgramme } from '../support/seeds.ts';
import { watchShifts } from '../support/shifts.ts';
import { expect, holdRequests, hydrated, leave, open, type Page, test } from '../support/test.ts';

// The programme on the days and nights of the festival.

test('on a day of the festival, what runs and what is next stand above the timetable, wherever the visitor is', async ({ browser, siteOf }) => {
  const site = await siteOf('exact');
  const { screenings, days } = await site.get<{ days: string[]; screenings: (Released['screenings'][number] & { starts_at: string; ends_at: string })[] }>('/programme/');
  const first = screenings.find(({ day, cancelled }) => day === days[2] && !cancelled);
  const begin = Date.parse(first?.starts_at ?? '');
  const context = await browser.newContext({ timezoneId: 'America/Los_Angeles' });
  const page = await context.newPage();
  await page.clock.install({ time: begin - 30 * 60_000 });
  await open(page, `${site.url}/programme`);
  const block = page.getByRole('region', { name: 'Now and next' });
  await expect(block.getByRole('link', { name: first?.title, exact: true })).toBeVisible();
  await expect(block).toContainText(first?.starts_at.slice(11, 16) ?? '');
  await expect(block.getByRole('heading', { name: 'Now', exact: true })).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Days' }).locator('[aria-current]')).toHaveText(/^Sun 26 Oct$/);
  await page.clock.runFor(31 * 60_000);
  await expect(block).toContainText(`to ${first?.ends_at.slice(11, 16)}`);
  await block.getByRole('link', { name: first?.title, exact: true }).press('Enter');
  await expect(page.locator(`#screening-${first?.id}`)).toBeFocused();
  expect((await axe(page).analyze()).violations).toEqual([]);
  // Another day, and a day without a festival.
  await open(page, `${site.url}/programme?day=${days[0]}`);
  await expect(block).toHaveCount(0);
  await page.clock.setFixedTime(begin + 30 * 24 * 3_600_000);
  await open(page, `${site.url}/programme`);
  await expect(page.getByRole('navigation', { name: 'Days' }).locator('[aria-current]')).toHaveText(/^Fri 24 Oct$/);
  await expect(block).toHaveCount(0);
  await context.close();
});

/** Opens the demonstration's programme on a phone at a time of its festival. */
async function openAt(page: Page, url: string, time: string, address = '/programme') {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.clock.setFixedTime(new Date(time));
  await open(page, url + address);
}

test('in the evening the programme opens at now, with what is over folded', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  await openAt(page, site.url, '2025-10-25T18:35:00+05:30');
  const block = page.getByRole('region', { name: 'Now and next' });
  await expect(block).toBeInViewport();
  expect((await block.innerText()).split('\n').filter(Boolean)).toEqual([
    'Now and next', 'Now', 'A House above the Tide', 'to 20:16 Lantern Hall', 'Next', 'The Turmeric Bicycle', '18:45 Kadavu Studio',
  ]);
  await expect(items(page).locator('h3')).toHaveText(['A House above the Tide', 'The Turmeric Bicycle', 'The Eighth Wave']);
  await page.getByRole('link', { name: 'Earlier today: 11 screenings' }).click();
  await expect(items(page)).toHaveCount(14);
  expect(await faults(page, 360), 'unfolded').toEqual([]);
  await page.getByRole('link', { name: 'Fold what is over' }).click();
  await expect(items(page)).toHaveCount(3);
  // The plan is at the lower edge, for the thumb.
  const mine = page.getByRole('link', { name: 'My festival' });
  const { y, height } = (await mine.boundingBox()) ?? { y: 0, height: 0 };
  expect(Math.round(y + height)).toBe(page.viewportSize()?.height ?? 0);
  await mine.click();
  await expect(page).toHaveURL(/view=mine$/);
});

test('after midnight it is still the evening, and the next screening is named however far it is', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  await openAt(page, site.url, '2025-10-31T00:20:00+05:30');
  await expect(page.getByRole('navigation', { name: 'Days' }).locator('[aria-current]')).toHaveText('Thu 30 Oct');
  await expect(page.getByRole('navigation', { name: 'Days' }).locator('[aria-current]')).toBeInViewport({ ratio: 1 });
  const block = page.getByRole('region', { name: 'Now and next' });
  await expect(block).toContainText('Lamps on the water: music after midnight');
  await expect(block).toContainText('to 00:50 Jetty Courtyard');
  await expect(block).toContainText('Fri 31 Oct, 09:30 Kadavu Theatre');
  await openAt(page, site.url, '2025-10-31T03:00:00+05:30');
  await expect(page.getByText('Nothing more begins today.')).toBeVisible();
  await expect(block).toContainText('Fri 31 Oct, 09:30 Kadavu Theatre');
  await openAt(page, site.url, '2025-10-31T08:00:00+05:30');
  await expect(page.getByRole('navigation', { name: 'Days' }).locator('[aria-current]')).toHaveText('Fri 31 Oct');
  await expect(page.getByText(/^Earlier today/)).toHaveCount(0);
});

test('on the morning after the festival its programme is a record', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  await openAt(page, site.url, '2025-11-01T08:00:00+05:30');
  await expect(page.getByText('The festival is over. This was its programme.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Now and next' })).toHaveCount(0);
  await expect(page.locator('[data-over]')).toHaveCount(0);
  // So is the visitor's own.
  await items(page).first().getByRole('button', { name: 'My festival' }).click();
  await page.getByRole('link', { name: 'My festival', exact: true }).click();
  await expect(items(page)).toHaveCount(1);
  await expect(page.locator('main details', { hasText: 'over' })).toHaveCount(0);
  await expect(page.locator('[data-over]')).toHaveCount(0);
  await expect(page.getByText('Also fits this day:')).toHaveCount(0);
  await page.getByRole('link', { name: 'All screenings' }).click();
  await expect(page.getByRole('heading', { name: 'Fri 24 Oct' })).toBeVisible();
});

test('a film’s screenings that are over stand back', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  const { films } = await site.get<{ films: { id: number; title: string; section: { id: number } }[] }>('/programme/');
  const film = films.find(({ title }) => title === 'A House above the Tide');
  await openAt(page, site.url, '2025-10-25T22:00:00+05:30', `/films/${film?.section.id}?film=${film?.id}`);
  const screenings = page.getByRole('region', { name: 'Screenings' }).getByRole('listitem');
  await expect(screenings.filter({ hasText: 'Sat 25 Oct, 18:30' })).toHaveAttribute('data-over');
  await expect(screenings.last()).not.toHaveAttribute('data-over');
});

test('a film tonight after eight near the theatre, with English subtitles, is three taps away', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  await openAt(page, site.url, '2025-10-25T18:35:00+05:30');
  for (const name of ['From 20:00', 'Near Kadavu Theatre', 'English subtitles']) await page.getByRole('link', { name, exact: true }).click();
  await expect(items(page).locator('h3')).toHaveText(['The Eighth Wave']);
  await expect(items(page)).toContainText('21:15–22:47');
  await page.getByRole('link', { name: 'Near Kadavu Theatre' }).click();
  await page.getByRole('link', { name: 'Near Lantern Hall' }).click();
  await expect(page.getByText('No screenings on this day fit these filters.')).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
});

test('the plan proposes nothing that has begun, names another town, and is there before scripts run', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  const { screenings } = await site.get<Released>('/programme/');
  const idOf = (title: string, day: string) => screenings.find((one) => one.title === title && one.day === day)?.id ?? 0;
  const [here, there] = [idOf('A House above the Tide', '2025-10-25'), idOf('The Eighth Wave', '2025-10-25')];
  const stored = JSON.stringify({ screenings: [here, there], version: 2 });
  await page.addInitScript((stored) => localStorage.setItem('programme', stored), stored);
  await openAt(page, site.url, '2025-10-25T20:20:00+05:30', '/programme?view=mine');
  await expect(items(page)).toHaveCount(2);
  await expect(page.getByText('Also fits this day:')).toHaveCount(0);
  await openAt(page, site.url, '2025-10-26T12:00:00+05:30', '/programme?view=mine');
  await expect(page.getByText('1 day that is over')).toBeVisible();
  await expect(page.getByText('Also fits this day:')).toHaveCount(0);
  const release = await holdRequests(page, '**/assets/entry-client*.js');
  await page.goto(`${site.url}/programme?view=mine`, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'My festival' })).toBeVisible();
  await expect(page.getByText('Your plan is kept on this device')).toBeVisible();
  await expect(items(page)).toHaveCount(0);
  release();
  await hydrated(page);
  await expect(items(page)).toHaveCount(2);
});

test('on a day of the festival nothing moves when the page comes to life', async ({ page }) => {
  const data = await temporaryFolder();
  const before = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  await writeFile(join(data, 'now.toml'), largeProgramme(before));
  await run(data, ['seed', join(data, 'now.toml')]);
  await run(data, ['programme', 'release', '--first']);
  const site = await start(data);
  const shifts = await watchShifts(page);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const release = await holdRequests(page, '**/assets/entry-client*.js');
    await page.goto(`${site.url}/programme`, { waitUntil: 'commit' });
    await expect(page.getByRole('navigation', { name: 'Days' })).toBeVisible();
    await shifts.restart();
    release();
    await hydrated(page);
    await expect(page.getByRole('region', { name: 'Now and next' })).toContainText(/:\d\d/);
    const { score, moved } = await shifts.seen();
    expect(score, moved.join('\n')).toBeLessThan(0.005);
    await page.unrouteAll();
  }
  await leave(page, site);
  await rm(data, { recursive: true, force: true });
});
