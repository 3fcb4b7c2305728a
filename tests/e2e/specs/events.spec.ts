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
    // The strip comes twice, so that it can run round.
    await expect(page.locator(`${cards} h3`)).toHaveText([...names, ...names]);
    const real = new Set(names).size;
    await expect(page.locator(`${cards}[data-repeat]`)).toHaveCount(8 - real);
    for (const repeat of await page.locator(`${cards}[data-repeat]`).all()) {
      await expect(repeat).toHaveAttribute('aria-hidden', 'true');
      await expect(repeat).toHaveAttribute('inert', '');
    }
    // Whoever listens hears each event once.
    await expect(page.locator('#upcoming-events').getByRole('listitem')).toHaveCount(real);
  });
}

test('no event: no strip, no heading', async ({ page, siteOf }) => {
  await open(page, (await siteOf('empty')).url);
  await expect(page.getByText('Upcoming Events')).toHaveCount(0);
  await expect(page.locator('#upcoming-events')).toHaveCount(0);
});

test('many events: each once, then all once more', async ({ page, site }) => {
  const events = await site.get<{ event: string; event_datetime_text: string; location: string }[]>('/upcoming-events/');
  expect(events.length).toBeGreaterThan(4);
  await open(page, site.url);
  const names = events.map(({ event }) => event);
  await expect(page.locator(`${cards} h3`)).toHaveText([...names, ...names]);
  await expect(page.locator(`${cards}[data-repeat]`)).toHaveCount(names.length);
  for (const [index, { event_datetime_text, location }] of events.entries()) {
    expect(event_datetime_text).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M$/);
    await expect(page.locator(cards).nth(index)).toContainText(event_datetime_text);
    await expect(page.locator(cards).nth(index)).toContainText(location);
  }
});

test('the strip runs, and stops by hover, focus, button and reduced motion', async ({ page, site }) => {
  await open(page, site.url);
  const strip = page.locator('#upcoming-events ul').first();
  const state = () => strip.evaluate((list) => getComputedStyle(list).animationPlayState);
  // It moves; it is never still enough to be scrolled to by the test's own means.
  await page.locator('#upcoming-events').evaluate((section) => section.scrollIntoView());
  await page.mouse.move(0, 0);
  await expect.poll(state).toBe('running');
  const box = await page.locator('#upcoming-events h2').boundingBox();
  await page.mouse.move(700, (box?.y ?? 0) + (box?.height ?? 0) + 150);
  await expect.poll(state).toBe('paused');
  await page.mouse.move(0, 0);
  await expect.poll(state).toBe('running');
  await page.getByRole('button', { name: 'Pause: Upcoming Events' }).click();
  await page.mouse.move(0, 0);
  await expect.poll(state).toBe('paused');
  await page.getByRole('button', { name: 'Play: Upcoming Events' }).click();
  await page.mouse.move(0, 0);
  await expect.poll(state).toBe('running');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(() => strip.evaluate((list) => getComputedStyle(list).animationName)).toBe('none');
});
