import { addressOf, routes } from '../support/routes.ts';
import { hydrated, expect, open, type Page, test } from '../support/test.ts';

/** The printable area of A4 with margins of 15 mm, in CSS pixels. */
const sheet = { width: 680, height: 1009 };

const notFound = [/status 404|status of 404/];

/** Opens a page with its print styles. */
async function paper(page: Page, address: string) {
  await page.setViewportSize(sheet);
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
  await open(page, address);
}

test('every printed page has only readable content, and nothing is cut off', async ({ page, site, watch }) => {
  watch.expect(...notFound);
  for (const route of routes) {
    await paper(page, await addressOf(route.path, site));
    await expect(page.getByRole('heading', { level: 1 }), route.path).toBeVisible();
    for (const hidden of ['nav', 'footer', 'video', '[data-pause]', 'button[type="submit"]', 'iframe'])
      expect.soft(await page.locator(`${hidden}:visible`).count(), `${hidden} on ${route.path}`).toBe(0);
    const faults = await page.evaluate(() => {
      const width = document.documentElement.clientWidth;
      const found: string[] = [];
      for (const element of document.querySelectorAll<HTMLElement>('main *')) {
        const { left, right, width: own } = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        // Text for screen readers only is not printed.
        if (own <= 1 || style.visibility === 'hidden') continue;
        if (right > width + 1 || left < -1) found.push(`beyond the sheet: ${element.outerHTML.slice(0, 90)}`);
        if (element instanceof HTMLTextAreaElement && element.scrollHeight > element.clientHeight + 1)
          found.push(`not whole: ${element.name}`);
      }
      return found.slice(0, 5);
    });
    expect.soft(faults, route.path).toEqual([]);
  }
});

test('printed text is dark, whatever its background on the screen', async ({ page, site }) => {
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

test('an open film is printed alone', async ({ page, site }) => {
  await paper(page, `${site.url}/films/1?film=1`);
  await expect(page.locator('dialog article h2')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  // The screenings come after the film.
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Screenings' })).toBeVisible();
  await expect(page.locator('dialog button:visible')).toHaveCount(0);
});

test('input of a form is printed completely', async ({ page, site }) => {
  await page.setViewportSize(sheet);
  await open(page, `${site.url}/form-malayalam`);
  await hydrated(page);
  const text = page.locator('textarea').first();
  await text.fill(Array(300).fill('light').join(' '));
  await page.emulateMedia({ media: 'print' });
  expect(await text.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(1);
});

test('the delegate form is printed on two sheets, and its consent notice on a third', async ({ page, site }) => {
  await open(page, `${site.url}/form`);
  const margin = '15mm';
  const printed = await page.pdf({ format: 'A4', margin: { top: margin, right: margin, bottom: margin, left: margin } });
  expect(printed.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(3);
});

test('a printed receipt begins its list on the first sheet', async ({ page, site }) => {
  const receipt = {
    form: 'Film submission',
    reference: 'AS-2025-0001',
    received: '22 November 2025, 22:28',
    late: false,
    nextSteps: 'We write to you.',
    corrections: 'office@example.org',
    fields: Array.from({ length: 40 }, (_, at) => ({ label: `Entry ${at}`, value: 'As it was typed' })),
    files: [],
  };
  await page.addInitScript((text) => sessionStorage.setItem('festival-receipt', text), JSON.stringify(receipt));
  await open(page, `${site.url}/success`);
  await expect(page.getByText('Entry 39')).toBeVisible();
  const margin = '15mm';
  const printed = await page.pdf({ format: 'A4', margin: { top: margin, right: margin, bottom: margin, left: margin } });
  // The list is longer than one sheet, but ends on the second.
  expect(printed.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
});
