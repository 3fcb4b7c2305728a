import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { createAccount, openAs } from '../support/admin.ts';
import { axe } from '../support/axe.ts';
import { start } from '../support/program.ts';
import { expect, type Page, type Site, test } from '../support/test.ts';

// The plan of a day: with the pointer, with the keyboard alone, and without scripts.

let site: Site;
let editor: string;
test.beforeAll(async () => {
  site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'));
  editor = await createAccount(site, 'editor');
});
test.afterAll(() => site.stop());

const hall = (page: Page, name: string) => page.locator(`.hall[data-hall="${name}"]`);
/** The card of a screening by its title; conflicts on other cards may name it, too. */
const card = (page: Page, title: string, within = page.locator('.halls')) =>
  within.locator('.plan > li').filter({ has: page.locator('a span', { hasText: title }) }).first();
const status = (page: Page) => page.locator('.plan-status');

/** Opens a day of the programme; each test has its own day, so that tests do not affect each other. */
async function openDay(page: Page, index: number): Promise<void> {
  await openAs(page, site, editor, '/admin/programme');
  const link = page.getByRole('navigation', { name: 'Days' }).getByRole('link').nth(index);
  await page.goto(site.url + (await link.getAttribute('href')));
}

/** Opens a day and waits for the script of the plan, which the script of the page loads. */
async function openPlan(page: Page, index: number): Promise<void> {
  await openDay(page, index);
  await expect(status(page)).toBeAttached();
}

/** The position of a card: its hall, begin and end. */
async function place(card: Locator): Promise<string> {
  const times = await card.locator('b').first().textContent();
  const name = await card.locator('xpath=ancestor::section[1]').getAttribute('data-hall');
  return `${name} ${times}`;
}

/** The begin of a card in minutes since 05:00. */
const offset = async (card: Locator) => Number(await card.getAttribute('data-offset'));

test('a screening is dragged to another hall', async ({ page }) => {
  await openPlan(page, 1);
  const first = page.locator('.hall').first().locator('.plan > li').first();
  const title = (await first.locator('a span').textContent()) ?? '';
  const moving = card(page, title);
  const was = await place(moving);
  const target = page.locator('.hall').nth(3);
  const name = (await target.getAttribute('data-hall')) ?? '';
  await moving.locator('b').hover();
  const from = await moving.locator('b').boundingBox();
  const to = await target.locator('.plan').boundingBox();
  if (!from || !to) throw new Error('no grid');
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, from.y + from.height / 2 + 36, { steps: 8 });
  await page.mouse.up();
  await expect(status(page)).toContainText(`“${title}”: ${name}`);
  const now = await place(card(page, title, hall(page, name)));
  expect(now).not.toBe(was);
  await page.reload();
  expect(await place(card(page, title, hall(page, name)))).toBe(now);
  expect(page.url(), 'no card was opened by the drag').toContain('/admin/programme');
});

test('a screening is drawn longer, and Escape gives a drag up', async ({ page }) => {
  await openPlan(page, 7);
  const drawn = page.locator('.hall').first().locator('.plan > li').first();
  const title = (await drawn.locator('a span').textContent()) ?? '';
  const was = await place(drawn);
  const length = Number(await drawn.getAttribute('data-length'));
  const grip = async () => {
    await card(page, title).locator('b').hover();
    const box = await card(page, title).locator('.grip').boundingBox();
    if (!box) throw new Error('no grip');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 24, { steps: 4 });
  };
  await grip();
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await place(card(page, title))).toBe(was);
  await grip();
  await page.mouse.up();
  await expect(status(page)).toContainText(`“${title}”: `);
  await page.reload();
  // The nearest five minutes to 24 pixels, which are twenty.
  const now = Number(await card(page, title).getAttribute('data-length'));
  expect(now % 5).toBe(0);
  expect(now - length).toBeGreaterThanOrEqual(15);
});

test('undo puts a screening back, with its length', async ({ page }) => {
  await openPlan(page, 2);
  const moving = page.locator('.plan > li').first();
  const title = (await moving.locator('a span').textContent()) ?? '';
  const was = await place(moving);
  await moving.locator('a').focus();
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect(status(page).getByRole('button', { name: 'Undo' })).toBeVisible();
  expect(await place(card(page, title))).not.toBe(was);
  await status(page).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => place(card(page, title))).toBe(was);
  await page.reload();
  expect(await place(card(page, title))).toBe(was);
});

test('keys move a screening by five minutes and between halls, many at once', async ({ page }) => {
  await openPlan(page, 3);
  const moving = page.locator('.hall').first().locator('.plan > li').first();
  const title = (await moving.locator('a span').textContent()) ?? '';
  const begin = await offset(moving);
  await moving.locator('a').focus();
  // Faster than the responses arrive.
  for (let press = 0; press < 12; press++) await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowLeft');
  const second = page.locator('.hall').nth(1);
  await expect(status(page)).toContainText(`“${title}”: ${await second.getAttribute('data-hall')}`);
  await expect(card(page, title, second).locator('a')).toBeFocused();
  await page.reload();
  const moved = card(page, title, second);
  expect(await offset(moved)).toBe(begin - 60);
});

test('a film is dragged onto the plan', async ({ page }) => {
  await openPlan(page, 4);
  const film = page.locator('.films li').first();
  const title = (await film.locator('b').textContent()) ?? '';
  const target = page.locator('.hall').nth(4).locator('.plan');
  const count = await target.locator('> li').count();
  await film.locator('b').hover();
  const to = await target.boundingBox();
  if (!to) throw new Error('no grid');
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + 80, { steps: 6 });
  await page.mouse.up();
  await expect(status(page)).toContainText(`“${title}”: `);
  await expect(target.locator('> li')).toHaveCount(count + 1);
});

test('screenings are typed one after another', async ({ page, watch }) => {
  watch.expect(/status (of )?422/);
  await openPlan(page, 5);
  const titles = await page.locator('.films b').allTextContents();
  const before = await page.locator('.plan > li').count();
  // From the morning on, so that five films fit into the day, whatever else is in it: each is proposed after the one before.
  await page.locator('#add').getByLabel('Hall').selectOption({ index: 1 });
  await page.locator('#add').getByLabel('Begins').fill('09:00');
  await page.locator('#add-film').focus();
  for (const [index, title] of titles.slice(0, 5).entries()) {
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
    await expect(page.locator('.plan > li')).toHaveCount(before + index + 1);
    await expect(page.locator('#add-film')).toBeFocused();
    await expect(page.locator('#add-film')).toHaveValue('');
  }
  // They follow one another in the hall that remains chosen.
  const name = await page.locator('#add-hall').inputValue();
  expect(await hall(page, name).locator('.plan > li').count()).toBeGreaterThanOrEqual(5);
  await page.keyboard.type('Barely anything');
  await page.keyboard.press('Enter');
  await expect(status(page)).toContainText('No film is called “Barely anything”');
  await expect(page.locator('#add-film')).toHaveValue('Barely anything');
});

test('somebody else’s move is not overwritten', async ({ page, browser, watch }) => {
  watch.expect(/status (of )?409/);
  await openPlan(page, 6);
  const moving = page.locator('.plan > li').first();
  const title = (await moving.locator('a span').textContent()) ?? '';
  const other = await browser.newPage();
  await openPlan(other, 6);
  await card(other, title).locator('a').focus();
  await other.keyboard.press('Alt+ArrowDown');
  await expect(status(other)).toContainText(`“${title}”: `);
  const theirs = await place(card(other, title));
  await other.close();
  await moving.locator('a').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(status(page)).toContainText('has changed its place meanwhile');
  expect(await place(card(page, title)), 'the plan shows where it is').toBe(theirs);
});

test('a day is copied; the plan has no violations', async ({ page }) => {
  await openPlan(page, 0);
  const count = await page.locator('.plan > li').count();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByLabel('Copy the screenings of this day to').selectOption({ index: 6 });
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copy the day' }).click();
  await expect(page.getByRole('status').first()).toContainText('copied from');
  // The message is above the plan, which may arrive later.
  await expect.poll(() => page.locator('.plan > li').count()).toBeGreaterThanOrEqual(count);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a form moves a screening, and the plan is a list', async ({ page }) => {
    await openDay(page, 0);
    await expect(page.locator('.halls.grid')).toHaveCount(0);
    const moving = page.locator('.plan > li').first();
    const title = (await moving.locator('a span').textContent()) ?? '';
    await moving.getByText('Move').first().click();
    await moving.getByLabel('Begins').fill('11:35');
    await moving.getByRole('button', { name: 'Move' }).click();
    await expect(page.getByRole('status')).toContainText('11:35.');
    expect(await place(card(page, title))).toContain('11:35–');
  });
});
