import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { open, test } from '../support/browsers.ts';
import { contentsInPage, draftFields, fileFor, missingFromDraft, textFor } from '../support/forms.ts';
import { start as startSite } from '../support/program.ts';
import { addressOf, routes } from '../support/routes.ts';
import { expect } from '../support/test.ts';
import type { Browser } from '../support/webdriver.ts';

const form = forms.indian;
/** WebDriver's name of the key. */
const ESCAPE = '\uE00C';

/** What is in the page's main part, as it is shown. */
const main = (browser: Browser) => browser.evaluate(() => document.querySelector('main')?.innerText ?? '');

/** Waits until the page's main part contains a text. */
const untilShown = (browser: Browser, text: string) =>
  browser.until((text) => document.querySelector('main')?.innerText.includes(text), text);

/** Fills in every field of the form, with six files. */
async function fillAll(browser: Browser): Promise<void> {
  await browser.until(() => document.querySelector<HTMLButtonElement>('form [type="submit"]')?.disabled === false);
  for (const field of form.fields) {
    const selector = `#field-${field.name}`;
    if (field.kind === 'file') {
      await browser.type(selector, fileFor(field));
      await browser.until((name) => document.querySelector(`[data-chosen="true"]:has(#field-${name})`) !== null, field.name);
    } else if (field.kind === 'choice') {
      await browser.click(field.choices.length <= 2 ? selector : `${selector} option:nth-child(2)`);
    } else if (!field.default) {
      await browser.type(selector, textFor(field));
    }
  }
  await expect.poll(() => browser.evaluate(missingFromDraft, form.key, draftFields(form)), 'not on the device').toEqual([]);
}

const contents = (browser: Browser) => browser.evaluate(contentsInPage, form.fields);

for (const window of ['a window', 'a private window']) {
  test(`texts and six files of a draft are there again after a reload, in ${window} @short`, async ({ site, start }) => {
    const browser = await start(window === 'a private window');
    await open(browser, site.url + form.path);
    await fillAll(browser);
    const before = await contents(browser);
    expect(Object.values(before).filter((value) => value === 'a file')).toHaveLength(6);
    expect(before.title_original).toBe('Title of the film (original) വെളിച്ചം');
    await browser.reload();
    await browser.until(() => document.querySelector('[data-chosen="true"]') !== null);
    expect(await contents(browser)).toEqual(before);
    expect(browser.errors()).toEqual([]);
  });
}

test('every public page is shown without an error, as a document and by a link @short', async ({ site, web }) => {
  const heading = () => web.evaluate(() => document.querySelector('h1')?.textContent ?? '');
  for (const { path, heading: expected } of routes) {
    await open(web, await addressOf(path, site));
    expect(await heading(), path).toMatch(expected);
    expect(web.errors(), path).toEqual([]);
  }
  await open(web, site.url);
  await web.evaluate(() => {
    const errors: string[] = [];
    Object.assign(window, { errors });
    addEventListener('error', ({ message }) => errors.push(message));
    addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
    addEventListener('securitypolicyviolation', ({ blockedURI }) => errors.push(blockedURI));
  });
  for (const { path, heading: expected, framing, status } of routes) {
    if (framing || status) continue;
    const { pathname } = new URL(await addressOf(path, site));
    await web.evaluate((path) => {
      const link = document.createElement('a');
      link.href = path;
      document.body.append(link);
      link.click();
      link.remove();
    }, pathname);
    await web.until((path) => location.pathname === path, pathname);
    await expect.poll(heading, path).toMatch(expected);
    expect(await web.evaluate(() => (window as unknown as { errors?: string[] }).errors), `${path} by a link`).toEqual([]);
  }
});

test('a form is sent with six files', async ({ web }) => {
  const site = await startSite(`${process.env.FESTIVAL_TEST_FILLED}/demo`, { FESTIVAL_MODULES__FORMS__MINIMUM_SECONDS: '0' });
  await open(web, site.url + form.path);
  await fillAll(web);
  await web.click('form [type="submit"]');
  await web.until(() => location.pathname === '/success');
  await web.until(() => /IN-\d{4}-\d{4}/.test(document.querySelector('main')?.innerText ?? ''));
  const [stored] = JSON.parse(await site.run('forms', 'export', 'film', '-o', '-', '--format', 'json'));
  expect(stored.title_original).toBe('Title of the film (original) വെളിച്ചം');
  expect(web.errors()).toEqual([]);
  await site.stop();
});

test('a film opens over the page, Back, Escape and its button close it', async ({ site, web }) => {
  await open(web, `${site.url}/films`);
  const closed = () => web.until(() => document.querySelector('dialog[open]') === null && location.pathname === '/films');
  const name = await web.evaluate(() => document.querySelector('main li a[aria-haspopup="dialog"]')?.textContent ?? '');
  for (const close of ['back', 'escape', 'button']) {
    await web.click('main li a[aria-haspopup="dialog"]');
    const title = await web.until(() => document.querySelector<HTMLElement>('dialog[open] :is(h1, h2)')?.innerText);
    expect(name).toContain(title);
    if (close === 'back') await web.back();
    if (close === 'escape') await web.press(ESCAPE);
    if (close === 'button') await web.click('dialog[open] button');
    await closed();
  }
  expect(web.errors()).toEqual([]);
});

test('the programme is searched by sound, and a screening is kept in My festival', async ({ site, web }) => {
  await open(web, `${site.url}/programme`);
  await web.type('main [type="search"]', 'uppukat');
  await web.until(() => document.querySelector('main ol > li h3')?.textContent === 'Salt Wind');
  await web.click('main ol > li button[aria-pressed="false"]');
  await web.until(() => document.querySelector('main ol > li button[aria-pressed="true"]') !== null);
  await open(web, `${site.url}/programme?view=mine`);
  await untilShown(web, 'Salt Wind');
  expect(await web.evaluate(() => document.querySelectorAll('main ol > li').length)).toBe(1);
  expect(web.errors()).toEqual([]);
});

test('after one visit the programme needs no network', async ({ web }) => {
  const site = await startSite(`${process.env.FESTIVAL_TEST_FILLED}/demo`);
  await open(web, `${site.url}/programme`);
  await web.until(async () => {
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      if (requests.some(({ url }) => new URL(url).pathname === '/programme')) return true;
    }
    return false;
  });
  await site.stop();
  await open(web, `${site.url}/programme`);
  await web.until(() => document.body.innerText.includes('You are offline'));
  expect(await main(web)).toMatch(/As of \w{3} \d+ \w{3}, \d\d:\d\d/);
});
