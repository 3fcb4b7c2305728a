import { expectStill, expectMoving } from '../support/motion.ts';
import { expect, open, test, type SiteName } from '../support/test.ts';

const cards = '#upcoming-events li';

for (const [data, names] of [
  ['events-1', ['Event 1', 'Event 1', 'Event 1', 'Event 1']],
  ['events-2', ['Event 1', 'Event 2', 'Event 1', 'Event 2']],
] as [SiteName, string[]][]) {
  test(`${data}: the strip is filled up to four cards`, async ({ page, siteOf }) => {
    const { url } = await siteOf(data);
    await open(page, url);
    await expect(page.getByRole('heading', { name: 'Upcoming Events' })).toBeVisible();
    // The strip is rendered twice, so that it can loop.
    await expect(page.locator(`${cards} h3`)).toHaveText([...names, ...names]);
    const real = new Set(names).size;
    await expect(page.locator(`${cards}[data-repeat]`)).toHaveCount(8 - real);
    for (const repeat of await page.locator(`${cards}[data-repeat]`).all()) {
      await expect(repeat).toHaveAttribute('aria-hidden', 'true');
      await expect(repeat).toHaveAttribute('inert', '');
    }
    // At the end of a loop the cards still fill the widest window.
    await page.setViewportSize({ width: 2560, height: 1440 });
    const round = await page.locator('#upcoming-events ul').evaluate((track) => track.getBoundingClientRect().width / 2);
    expect(round).toBeGreaterThanOrEqual(2560);
    // Screen readers get each event once.
    await expect(page.locator('#upcoming-events').getByRole('listitem')).toHaveCount(real);
  });
}

test('no event: no strip, no heading', async ({ page, siteOf }) => {
  await open(page, (await siteOf('empty')).url);
  await expect(page.getByText('Upcoming Events')).toHaveCount(0);
  await expect(page.locator('#upcoming-events')).toHaveCount(0);
});

test('many events: each once, then all once more', async ({ page, site }) => {
  const events = await site.get<{ event: string; event_datetime_text: string; location: string; image: string | null }[]>('/upcoming-events/');
  expect(events.length).toBeGreaterThan(4);
  // Without motion, so that pictures can be scrolled to.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, site.url);
  const names = events.map(({ event }) => event);
  await expect(page.locator(`${cards} h3`)).toHaveText([...names, ...names]);
  await expect(page.locator(`${cards}[data-repeat]`)).toHaveCount(names.length);
  for (const [index, { event_datetime_text, location, image }] of events.entries()) {
    expect(event_datetime_text).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M$/);
    await expect(page.locator(cards).nth(index)).toContainText(event_datetime_text);
    await expect(page.locator(cards).nth(index)).toContainText(location);
    expect(image).not.toBeNull();
    const picture = page.locator(cards).nth(index).locator('img');
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
  }
});

test('the strip runs, and stops by hover, focus, button and reduced motion', async ({ page, site }) => {
  await open(page, site.url);
  const strip = page.locator('#upcoming-events ul').first();
  // Playwright waits for elements to stand still before it scrolls to them; this one never does.
  await page.locator('#upcoming-events').evaluate((section) => section.scrollIntoView());
  await page.mouse.move(0, 0);
  await expectMoving(strip);
  const box = await page.locator('#upcoming-events h2').boundingBox();
  await page.mouse.move(700, (box?.y ?? 0) + (box?.height ?? 0) + 150);
  await expectStill(strip);
  await page.mouse.move(0, 0);
  await expectMoving(strip);
  const pause = page.getByRole('button', { name: 'Pause: Upcoming Events' });
  const link = strip.getByRole('link').first();
  await link.focus();
  await expectStill(strip);
  await link.blur();
  await expectMoving(strip);
  await pause.click();
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await expectStill(strip);
  await page.getByRole('button', { name: 'Play: Upcoming Events' }).click();
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await expectMoving(strip);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectStill(strip);
});
