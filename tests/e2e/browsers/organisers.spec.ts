import { createAccount, password } from '../support/admin.ts';
import { test } from '../support/browsers.ts';
import { type Site, start as startSite } from '../support/program.ts';
import { expect } from '../support/test.ts';
import type { Browser } from '../support/webdriver.ts';

const button = (name: string) => `//main//button[normalize-space()="${name}"]`;

let site: Site;
test.beforeAll(async () => {
  site = await startSite(`${process.env.FESTIVAL_TEST_FILLED}/demo`);
});
test.afterAll(() => site.stop());

async function openAs(browser: Browser, role: string, path: string): Promise<void> {
  await browser.open(site.url + path);
  await browser.type('[name="email"]', await createAccount(site, role));
  await browser.type('[type="password"]', password);
  await browser.click(button('Sign in'));
  await browser.until(() => [...document.querySelectorAll('button')].some(({ textContent }) => textContent?.trim() === 'Sign out'));
}

test('an editor signs in, changes a title, and visitors see it', async ({ web, engine }) => {
  const [blog] = await site.get<{ id: number }[]>('/blogs/');
  await openAs(web, 'editor', `/admin/blogs/${blog?.id}`);
  const title = `Lamps in ${engine}`;
  await web.until(() => document.querySelector('[role="toolbar"]') !== null);
  await web.clear('[name="title"]');
  await web.type('[name="title"]', title);
  await web.click(button('Save'));
  await web.until(() => /saved/i.test(document.body.innerText));
  expect((await site.get<{ id: number; title: string }[]>('/blogs/')).find(({ id }) => id === blog?.id)?.title).toBe(title);
  expect(web.errors()).toEqual([]);
});

test('a screening of the plan is dragged to another time, and is there after a reload', async ({ web }) => {
  await openAs(web, 'editor', '/admin/programme');
  await web.until(() => document.querySelector('.plan-status') !== null);
  const title = await web.evaluate(() => document.querySelector('.plan > li a span')?.textContent ?? '');
  const times = () =>
    web.evaluate((title) => {
      const card = [...document.querySelectorAll('.plan > li')].find((card) => card.querySelector('a span')?.textContent === title);
      return card?.querySelector('b')?.textContent ?? '';
    }, title);
  const before = await times();
  await web.drag('.plan > li b', 0, 36);
  await web.until((title) => document.querySelector('.plan-status')?.textContent?.includes(`“${title}”: `), title);
  const after = await times();
  expect(after).not.toBe(before);
  await web.reload();
  expect(await times()).toBe(after);
  expect(web.errors()).toEqual([]);
});
