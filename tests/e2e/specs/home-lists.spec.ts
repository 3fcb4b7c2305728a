import { expect, open, test } from '../support/test.ts';

for (const [block, label, people] of [
  ['guests', 'Guests', ['Revathi ManakkalDirector, India', 'Osman BelkaraCinematographer, Türkiye', 'Lim Seo-wanActor, South Korea', 'Ines CaldaraCritic, Portugal']],
  [
    'namesakes',
    'Award namesakes',
    ['Kunjananthan ValiyakulamBest debut Indian film', 'Sarada PulikkottuBest debut Asian film', 'Itty KochukudiFilm society or individual', 'Nafeesa ThalavadiBest debut Asian director'],
  ],
] as const) {
  test(`${label}: four portraits with names, one at a time`, async ({ page, site }) => {
    await open(page, site.url);
    const portraits = page.locator(`#${block} li`);
    await expect(portraits).toHaveText([...people]);
    await page.locator(`#${block}`).scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: `Pause: ${label}` }).click();
    const seen = () =>
      portraits.evaluateAll((all) => all.map((portrait) => portrait.checkVisibility({ opacityProperty: true, visibilityProperty: true })));
    await expect.poll(async () => (await seen()).filter(Boolean).length).toBe(1);
    // With reduced motion they are shown side by side.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(seen).toEqual([true, true, true, true]);
    for (const portrait of await portraits.all()) {
      await portrait.scrollIntoViewIfNeeded();
      await expect.poll(() => portrait.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    }
  });
}

test('venues, organisers and partners are listed with their names', async ({ page, site }) => {
  await open(page, site.url);
  for (const [block, title, entries] of [
    ['venues', 'Venues', ['Kadavu TheatreJetty Road, Kochi', 'Lantern HallSpice Lane, Kochi', 'Backwater TalkiesCanal Bank, Alappuzha']],
    ['organisers', 'Organisers', ['Kochi Film CircleOrganiser', 'Backwater Cultural TrustCo-organiser', 'Reel Society of AlappuzhaCo-organiser']],
    ['partners', 'Partners', ['Malabar Film ArchiveArchive', 'Lamp & LensProjection', 'Tidewater RadioMedia partner', 'Kayal PressPrinting', 'Monsoon SoundSound']],
  ] as const) {
    const section = page.locator(`#${block}`);
    await section.scrollIntoViewIfNeeded();
    await expect(section.getByRole('heading', { name: title, exact: true })).toBeVisible();
    await expect(section.getByRole('listitem')).toHaveText([...entries]);
    for (const entry of await section.getByRole('listitem').all()) await expect(entry).toBeVisible();
    if (block === 'venues') continue;
    for (const mark of await section.locator('li img').all()) {
      await mark.scrollIntoViewIfNeeded();
      await expect.poll(() => mark.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    }
    await expect(section.locator('li img')).toHaveCount(entries.length);
  }
});
