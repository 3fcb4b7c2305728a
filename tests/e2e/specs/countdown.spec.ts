import { expect, open, type Page, test as base } from '../support/test.ts';

/** A site whose dates are not moved to the future. */
const test = base.extend({ site: async ({ siteOf }, use) => use(await siteOf('hard')) });

const block = (page: Page) => page.getByRole('timer');

/** The end of the countdown in the visitor's local time. */
async function end(site: { get<T>(path: string): Promise<T> }): Promise<string> {
  const { edition } = await site.get<{ edition: { countdown_at: string } }>('/site/');
  expect(edition.countdown_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  return edition.countdown_at;
}

/** The time `seconds` after the end (before it if negative), for a visitor in India. */
const from = (end: string, seconds: number) => new Date(Date.parse(`${end}+05:30`) + seconds * 1000);

base('a demonstration that is moved to the future keeps the hour of its countdown', async ({ site }) => {
  expect(await end(site)).toMatch(/T22:00:00$/);
});

test('the server renders dashes, as it does not know the visitor’s clock', async ({ request, site }) => {
  const html = await (await request.get(site.url)).text();
  const part = /role="timer".*?<\/section>/s.exec(html)?.[0] ?? '';
  expect(part.match(/>--</g)).toHaveLength(4);
});

test('the countdown runs', async ({ page, site }) => {
  await page.clock.install({ time: from(await end(site), -((26 * 60 + 3) * 60 + 600)) });
  await open(page, site.url);
  await page.clock.pauseAt(from(await end(site), -((26 * 60 + 3) * 60)));
  await page.clock.runFor(2000);
  await expect(block(page)).toHaveText(/01days02hours02minutes5[789]seconds/);
  const before = await block(page).textContent();
  await page.clock.runFor(1000);
  await expect(block(page)).not.toHaveText(before ?? '');
});

test('the countdown disappears when it ends, and leaves no space', async ({ page, site }) => {
  await page.clock.install({ time: from(await end(site), -60) });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // In a narrow window the blocks are stacked.
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page, site.url);
  await expect(block(page)).toBeVisible();
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await height();
  await page.clock.fastForward(120_000);
  await expect(block(page)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Countdown' })).toHaveCount(0);
  const after = await height();
  expect(after).toBeLessThan(before - 40);
  // The page is as tall as one that never had a countdown.
  await open(page, site.url);
  await expect(block(page)).toHaveCount(0);
  expect(await height()).toBe(after);
});

test('an ended countdown is not rendered', async ({ page, site }) => {
  await page.clock.install({ time: from(await end(site), 1) });
  await open(page, site.url);
  await expect(block(page)).toHaveCount(0);
});

test.describe('elsewhere', () => {
  test.use({ timezoneId: 'America/New_York' });
  test('the end is the visitor’s own local time', async ({ page, site }) => {
    // Past in India, hours ahead in New York.
    await page.clock.install({ time: from(await end(site), 3600) });
    await open(page, site.url);
    await expect(block(page)).toBeVisible();
    await expect(block(page)).toContainText('00days');
  });
});
