import { addressOf, routes } from '../support/routes.ts';
import { alive, expect, open, type Page, test } from '../support/test.ts';

/** What A4 leaves between margins of 15 mm, in CSS pixels. */
const sheet = { width: 680, height: 1009 };

const notFound = [/status 404|status of 404/];

/** Shows a page as it is printed. */
async function paper(page: Page, address: string) {
  await page.setViewportSize(sheet);
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
  await open(page, address);
}

for (const route of routes) {
  test(`${route.path} on paper has only what can be read, and nothing is cut`, async ({ page, site, watch }) => {
    if (route.status === 404) watch.expect(...notFound);
    await paper(page, await addressOf(route.path, site));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const hidden of ['nav', 'footer', 'video', '[data-pause]', 'button[type="submit"]', 'iframe'])
      expect(await page.locator(`${hidden}:visible`).count(), hidden).toBe(0);
    const faults = await page.evaluate(() => {
      const width = document.documentElement.clientWidth;
      const found: string[] = [];
      for (const element of document.querySelectorAll<HTMLElement>('main *')) {
        const { left, right, width: own } = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        // A line for screen readers alone is not on paper.
        if (own <= 1 || style.visibility === 'hidden') continue;
        if (right > width + 1 || left < -1) found.push(`beyond the sheet: ${element.outerHTML.slice(0, 90)}`);
        if (element instanceof HTMLTextAreaElement && element.scrollHeight > element.clientHeight + 1)
          found.push(`not whole: ${element.name}`);
      }
      return found.slice(0, 5);
    });
    expect(faults).toEqual([]);
  });
}

test('text on paper is dark, whatever its ground is on the screen', async ({ page, site }) => {
  for (const path of ['/', '/films', '/form', '/team']) {
    await paper(page, site.url + path);
    const light = await page.evaluate(() => {
      const texts = [...document.querySelectorAll<HTMLElement>('main *')].filter(
        (element) =>
          element.checkVisibility() &&
          [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
      );
      return texts
        .filter((element) => (getComputedStyle(element).color.match(/\d+/g) ?? []).slice(0, 3).some((part) => Number(part) > 110))
        .map((element) => element.outerHTML.slice(0, 90))
        .slice(0, 5);
    });
    expect(light, path).toEqual([]);
  }
});

test('a film that is open is printed alone', async ({ page, site }) => {
  await paper(page, `${site.url}/films/1?film=1`);
  await expect(page.locator('dialog article h2')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await expect(page.locator('dialog button:visible')).toHaveCount(0);
});

test('what was typed into a form is printed whole', async ({ page, site }) => {
  await page.setViewportSize(sheet);
  await open(page, `${site.url}/form-malayalam`);
  await alive(page);
  const text = page.locator('textarea').first();
  await text.fill(Array(300).fill('light').join(' '));
  await page.emulateMedia({ media: 'print' });
  expect(await text.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(1);
});

test('the delegate form fits on two sheets', async ({ page, site }) => {
  await open(page, `${site.url}/form`);
  const margin = '15mm';
  const printed = await page.pdf({ format: 'A4', margin: { top: margin, right: margin, bottom: margin, left: margin } });
  expect(printed.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
});
