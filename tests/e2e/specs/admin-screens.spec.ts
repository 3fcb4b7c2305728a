import { join } from 'node:path';
import { createAccount, openAs, shortcut } from '../support/admin.ts';
import { faults, overflow } from '../support/axe.ts';
import { start } from '../support/program.ts';
import { expect, type Page, type Site, test } from '../support/test.ts';

// Screens that the menu does not link to directly: accessible, no wider than the window, and usable with the keyboard.

let site: Site;
let owner: string;
test.beforeAll(async () => {
  site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'));
  owner = await createAccount(site, 'owner');
  // A second edition, so that the list of editions has buttons.
  await site.run('editions', 'new', '2033', '--first-day', '2033-10-23', '--last-day', '2033-10-30');
});
test.afterAll(() => site.stop());

/** The actions on each screen before it is checked. */
const screens: [string, string, ((page: Page) => Promise<void>)?][] = [
  ['/admin/settings/mails', 'Texts of mails'],
  ['/admin/settings/mails/film-receipt', 'Receipt for a film'],
  ['/admin/settings/closing', 'Deadline, countdown and closing'],
  [
    '/admin/settings/closing',
    'What this changes',
    async (page) => {
      await page.getByLabel('Deadline for films').fill('2033-09-01T23:59');
      await page.getByRole('button', { name: 'Continue' }).click();
    },
  ],
  ['/admin/catalogue', 'Catalogue and press kit'],
  [
    '/admin/films?q=rain',
    'Films',
    async (page) => {
      for (const name of ['Columns', 'Save filters']) await page.getByText(name, { exact: true }).first().click();
    },
  ],
  [
    '/admin/delegates',
    'Delegates',
    async (page) => {
      const columns = page.getByText('Columns', { exact: true });
      if ((await columns.count()) > 0) await columns.first().click();
    },
  ],
  ['/admin/films/import', 'Import films'],
  ['/admin/films/imports', 'Imports of films'],
  ['/admin/films/order', 'Order of films'],
  ['/admin/current-edition', 'Current edition'],
  ['/admin/current-edition/next', 'Start the next edition'],
  ['/admin/audit', 'Audit log'],
  ['/admin/edit?page=/nowhere', 'Edit this page'],
];

/** Presses Tab through the page and returns the controls of its main part that got no focus, or no visible one. */
async function unreached(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]';
    for (const control of document.querySelectorAll<HTMLElement>(`main :is(${controls})`)) {
      // Of radio buttons with one name only one is a tab stop.
      const isSkipped = control.matches('[type="hidden"], [type="radio"], :disabled, [tabindex="-1"]');
      if (!isSkipped && control.checkVisibility({ visibilityProperty: true })) control.dataset.expected = '';
    }
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof HTMLElement)) return;
      const { outlineStyle } = getComputedStyle(target);
      if (outlineStyle !== 'none') delete target.dataset.expected;
    });
  });
  const stops = await page.locator('a[href], button, input, select, textarea, summary, [tabindex="0"]').count();
  for (let presses = 0; presses < stops + 5; presses++) await page.keyboard.press('Tab');
  return page.locator('[data-expected]').evaluateAll((all) => all.map((control) => control.outerHTML.slice(0, 120)));
}

test('every screen is accessible, fits a phone and works with the keyboard', async ({ page }) => {
  await openAs(page, site, owner);
  for (const [path, heading, prepare] of screens) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(site.url + path);
    await prepare?.(page);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    expect.soft(await faults(page), path).toEqual([]);
    expect.soft(await unreached(page), `${path} with the keyboard`).toEqual([]);
    for (const width of [390, 1920]) {
      await page.setViewportSize({ width, height: 844 });
      expect.soft(await overflow(page), path).toEqual([]);
    }
  }
});

test('groups of the menu fold, and stay open where they were opened', async ({ page }) => {
  await openAs(page, site, owner);
  const side = page.locator('.side');
  const settings = side.getByRole('link', { name: 'Settings' });
  await expect(side.getByRole('link', { name: 'Delegates' })).toBeVisible();
  await expect(settings).toBeHidden();
  await side.locator('summary', { hasText: 'Site' }).focus();
  await shortcut(page, 'Enter');
  await expect(settings).toBeVisible();
  await side.getByRole('link', { name: 'Dashboard' }).click();
  await expect(settings).toBeVisible();
  await side.locator('summary', { hasText: 'Site' }).click();
  await expect(settings).toBeHidden();
  await page.reload();
  await expect(settings).toBeHidden();
  // Whatever was folded, the group of the present page is open.
  await page.goto(`${site.url}/admin/settings`);
  await expect(settings).toBeVisible();
});

test('on a phone the menu opens below the header, which stays as it is', async ({ page }) => {
  await openAs(page, site, owner);
  await page.setViewportSize({ width: 390, height: 844 });
  const opener = page.locator('.menu > summary');
  const [place, header] = [await opener.boundingBox(), await page.locator('.top').boundingBox()];
  await opener.click();
  const search = page.locator('.menu').getByRole('searchbox', { name: 'Find anything' });
  await expect(search).toBeVisible();
  expect(await opener.boundingBox()).toEqual(place);
  expect((await search.boundingBox())?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
});

test('fields side by side have their inputs on one line, with and without a hint', async ({ page }) => {
  await openAs(page, site, owner);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${site.url}/admin/screenings/new`);
  const [title, hall] = [await page.locator('#input-title').boundingBox(), await page.getByLabel('Hall', { exact: true }).boundingBox()];
  expect(hall?.x).toBeGreaterThan(title?.x ?? 0);
  expect(hall?.y).toBe(title?.y);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the menu unfolds, a filter is saved, and columns are chosen', async ({ page, watch }) => {
    // Chromium reports preloaded scripts as blocked.
    watch.expect(/^failed: \S+\/assets\/\S+\.js csp$/);
    await openAs(page, site, owner);
    await page.locator('.side summary', { hasText: 'Films' }).click();
    await page.locator('.side').getByRole('link', { name: 'Films', exact: true }).click();
    await page.locator('main').getByLabel('Search').fill('rain');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('Save filters', { exact: true }).click();
    await page.getByLabel('Name of this filter').fill('Rainy films');
    await page.getByRole('button', { name: 'Save the filter' }).click();
    await expect(page.getByRole('link', { name: 'Rainy films' })).toBeVisible();
    await page.getByText('Columns', { exact: true }).first().click();
    await page.getByRole('spinbutton', { name: 'Country' }).fill('1');
    await page.getByRole('button', { name: 'Save the columns' }).click();
    await expect(page.getByRole('columnheader', { name: 'Country' })).toBeVisible();
  });
});
