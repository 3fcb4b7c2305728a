import { axe } from '../support/axe.ts';
import { expect, test } from '../support/test.ts';

// The released programme as visitors use it.

test('the programme is a list of days without scripts', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${site.url}/programme`);
  const days = page.locator('section[id^="day-"]');
  expect(await days.count()).toBe(8);
  await expect(days.first().getByRole('heading', { level: 2 })).toBeVisible();
  expect(await page.locator('article').count()).toBeGreaterThan(80);
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/^Moved: it was /).first()).toBeVisible();
  const calendar = await page.request.get(`${site.url}${await days.first().getByRole('link', { name: /for your calendar/ }).getAttribute('href')}`);
  expect(calendar.headers()['content-type']).toContain('text/calendar');
  await context.close();
});

test('visitors search, narrow down and star, and their stars are there the next time', async ({ page, site }) => {
  await page.goto(`${site.url}/programme`);
  const all = await page.locator('article').count();
  await page.getByRole('searchbox').fill('rain road');
  await expect(page.getByRole('status').filter({ hasText: 'screening' })).not.toHaveText(`${all} screenings`);
  expect(await page.locator('article').count()).toBeLessThan(6);
  const star = page.getByRole('button', { name: /^Star The Rain Road/ }).first();
  await star.click();
  await expect(page.getByRole('button', { name: /^Remove the star from The Rain Road/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.locator('article')).toHaveCount(all);
  await page.reload();
  await page.getByLabel('My stars (1)').check();
  await expect(page.locator('article')).toHaveCount(1);
  await expect(page.locator('article h3')).toHaveText('The Rain Road');
  expect((await axe(page).analyze()).violations).toEqual([]);
});
