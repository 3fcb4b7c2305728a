import { inputOf, submitButton } from '../support/forms.ts';
import { addressOf } from '../support/routes.ts';
import { expect, open, type Page, test } from '../support/test.ts';

/** Every kind of overlay: how it opens, and a point of its background. */
const overlays: { name: string; width?: number; x?: number; y?: number; show: (page: Page, url: string, category: string) => Promise<void> }[] = [
  {
    name: 'a film of the listing',
    // On the backdrop, outside the film's details.
    x: 10,
    y: 600,
    show: async (page, url) => {
      await open(page, `${url}/films`);
      await page.locator('main a[aria-haspopup="dialog"]').first().click();
    },
  },
  {
    name: 'a film of a category',
    show: async (page, _, category) => {
      await open(page, category);
      await page.locator('main a[aria-haspopup="dialog"]').first().click();
    },
  },
  ...['screening-schedule', 'daily-events', 'venue'].map((block) => ({
    name: `a picture of #${block}`,
    show: async (page: Page, url: string) => {
      await open(page, url);
      await page.locator(`#${block}`).scrollIntoViewIfNeeded();
      await page.locator(`#${block} a[aria-haspopup="dialog"]`).first().press('Enter');
    },
  })),
  {
    name: 'the menu',
    width: 700,
    show: async (page, url) => {
      await open(page, `${url}/history`);
      await page.getByRole('button', { name: 'Menu' }).click();
    },
  },
  {
    name: 'the answer to a letter',
    show: async (page, url) => {
      await page.route('**/api/contact/', (route) => route.fulfill({ json: { success: true, message: 'Thank you.' } }));
      await open(page, `${url}/contact-us`);
      for (const [field, text] of [['name', 'Anu'], ['email', 'anu@example.org'], ['contact', '0484 000'], ['message', 'Hello']] as const)
        await inputOf(page, field).fill(text);
      await submitButton(page).click();
    },
  },
  {
    name: 'the question before a form is left',
    show: async (page, url) => {
      await open(page, `${url}/form-asian`);
      await inputOf(page, 'title_original').fill('Not sent');
      await page.getByRole('contentinfo').getByRole('link', { name: 'History' }).click();
    },
  },
];

for (const { name, width = 1440, x = 4, y = 4, show } of overlays) {
  test(`a click on the background closes ${name}, one inside does not`, async ({ page, site }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await show(page, site.url, await addressOf('/films/{category}', site));
    const overlay = page.getByRole('dialog');
    await expect(overlay).toBeVisible();
    const address = page.url();
    // An enlarged picture has no controls; a click on it closes it, too.
    if (!name.startsWith('a picture')) {
      await overlay.locator('p, td, summary').first().click();
      await expect(overlay).toBeVisible();
    }
    await page.mouse.click(x, y);
    await expect(overlay).toHaveCount(0);
    // A film has its own address; closing it leads back.
    expect(page.url()).toBe(address.replace(/\?film=\d+$/, ''));
  });
}

test('selecting text from a film’s table to the background leaves the film open', async ({ page, site }) => {
  await open(page, `${site.url}/films`);
  await page.locator('main a[aria-haspopup="dialog"]').first().click();
  const overlay = page.getByRole('dialog');
  const cell = await overlay.locator('td').first().boundingBox();
  await page.mouse.move((cell?.x ?? 0) + 20, (cell?.y ?? 0) + 20);
  await page.mouse.down();
  await page.mouse.move(1436, (cell?.y ?? 0) + 60, { steps: 5 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString().length)).toBeGreaterThan(0);
  await expect(overlay).toBeVisible();
});

test('the bar of an open film stays at the window’s top and above the poster', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, `${site.url}/films/1?film=1`);
  const dialog = page.getByRole('dialog');
  await dialog.evaluate((element) => element.scrollTo(0, 400));
  const { top, isOnTop } = await dialog.getByRole('button', { name: 'Close' }).evaluate((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    const bar = button.closest('[data-background]')?.getBoundingClientRect();
    return { top: bar?.top, isOnTop: document.elementFromPoint(left + width / 2, top + height / 2) === button };
  });
  expect({ top, isOnTop }).toEqual({ top: 0, isOnTop: true });
});

test('at twice the size of text the bar of an open film is one line on a phone', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, `${site.url}/films/1?film=1`);
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const dialog = page.getByRole('dialog');
  const place = (name: string) => dialog.getByRole('button', { name }).evaluate((button) => button.getBoundingClientRect().top);
  expect(await place('Copy link')).toBe(await place('Close'));
});

test('a film of the listing covers the page below its first screen, too', async ({ page, site }) => {
  await page.setViewportSize({ width: 1440, height: 600 });
  await open(page, `${site.url}/films`);
  await page.locator('main a[aria-haspopup="dialog"]').first().click();
  await expect(page.getByRole('dialog')).toContainText('Stills');
  const { scrolled, covered } = await page.getByRole('dialog').evaluate((dialog) => {
    dialog.scrollTo(0, dialog.scrollHeight);
    return { scrolled: dialog.scrollTop, covered: dialog.querySelector('[data-surface="night"]')?.getBoundingClientRect().bottom ?? 0 };
  });
  expect(scrolled).toBeGreaterThan(300);
  // Positions of scrolling are rounded.
  expect(Math.ceil(covered)).toBeGreaterThanOrEqual(600);
});
