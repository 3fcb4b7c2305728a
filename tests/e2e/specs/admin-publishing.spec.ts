import { join } from 'node:path';
import { faults } from '../support/axe.ts';
import { createAccount, openAs } from '../support/admin.ts';
import { root, start } from '../support/program.ts';
import { expect, type Page, type Site, test } from '../support/test.ts';

const picture = join(root, 'tests/fixtures/pictures/poster.png');
const issue = join(root, 'tests/fixtures/pictures/issue.pdf');

let site: Site;
test.beforeAll(async () => {
  site = await start(`${process.env.FESTIVAL_TEST_FILLED}/demo`);
});
test.afterAll(() => site.stop());

interface Blog {
  id: number;
  title: string;
  content: string;
  image_alt?: string;
}

async function blog(title: string): Promise<Blog | undefined> {
  return (await site.get<Blog[]>('/blogs/')).find((blog) => blog.title === title);
}

/** The time some minutes from now in the festival's time zone, as the value of a datetime-local input. */
function festivalTime(minutes: number): string {
  const moment = new Date(Date.now() + minutes * 60_000);
  const [date, time] = moment.toLocaleString('sv-SE', { timeZone: 'Asia/Kolkata' }).split(' ');
  return `${date}T${time?.slice(0, 5)}`;
}

/** Opens the preview of the form in its own tab. */
async function preview(page: Page): Promise<Page> {
  // The first preview loads all templates.
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Preview' }).click();
  const shown = await opened;
  await shown.waitForLoadState();
  return shown;
}

test('a blog is written, previewed, scheduled and published', async ({ page }) => {
  const title = `Lamps ${Date.now()}`;
  await openAs(page, site, await createAccount(site, 'editor'), '/admin/blogs/new');
  await page.getByLabel('Title').fill(title);
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  const tools = page.getByRole('toolbar');
  // The editor regains the focus in the next frame.
  const format = async (name: string) => {
    await tools.getByRole('button', { name, exact: true }).click();
    await expect(text).toBeFocused();
  };
  // Before the editor has loaded, its text area has the same name.
  await expect(tools).toBeVisible();
  await text.click();
  await format('Heading');
  await page.keyboard.type('Before the film');
  await page.keyboard.press('Enter');
  await page.keyboard.type('The lamps go out ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('slowly');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('. ');
  await format('Malayalam');
  await page.keyboard.insertText('വെളിച്ചം');
  await format('Malayalam');
  await page.keyboard.type(' ');
  await tools.getByRole('button', { name: 'Link' }).click();
  await page.getByRole('dialog').getByLabel('Address').fill('example.org');
  await page.keyboard.press('Enter');
  await expect(text.getByRole('link')).toHaveText('https://example.org');
  await expect(text).toBeFocused();
  // The pictures of the library load after the dialog is open, and its buttons do not move.
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/admin/pictures**', async (route) => {
    await released;
    await route.continue();
  });
  await tools.getByRole('button', { name: 'Picture' }).click();
  const dialog = page.getByRole('dialog');
  const insert = dialog.getByRole('button', { name: 'Insert' });
  const top = () => insert.evaluate((button) => button.getBoundingClientRect().top);
  const before = await top();
  release();
  await expect(dialog.getByRole('listitem').first()).toBeVisible();
  expect(await top()).toBe(before);
  await page.unroute('**/admin/pictures**');
  await insert.click();
  await expect(page.getByRole('alert')).toHaveText('Choose a picture.');
  await dialog.getByLabel('Upload a picture').setInputFiles(picture);
  await dialog.getByLabel('Describe the picture').fill('A lamp above the door');
  expect(await faults(page)).toEqual([]);
  await insert.click();
  await expect(text.getByRole('img', { name: 'A lamp above the door' })).toBeVisible();
  await expect(text).toBeFocused();
  await page.keyboard.type('After it.');

  // The blog's picture is uploaded when it is chosen.
  await page.getByLabel('Picture', { exact: false }).first().setInputFiles(picture);
  await expect(page.getByText('poster.png uploaded.')).toBeVisible();
  await page.getByLabel('Picture: alternative text').fill('The poster');
  await page.getByLabel('Schedule for later').check();
  await page.getByLabel('Publish on').fill(festivalTime(60));
  expect(await faults(page)).toEqual([]);

  const shown = await preview(page);
  await expect(shown.getByRole('heading', { name: title })).toBeVisible();
  await expect(shown.getByText('Preview. Nobody else sees it')).toBeVisible();
  await expect(shown.getByRole('img', { name: 'A lamp above the door' })).toBeVisible();
  await expect(shown.getByRole('img', { name: 'The poster' })).toBeVisible();
  await expect(shown.locator('strong')).toHaveText('slowly');
  expect(await faults(shown)).toEqual([]);
  await shown.close();
  expect(await blog(title)).toBeUndefined();

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const row = page.getByRole('row', { name: new RegExp(title) });
  await expect(row).toContainText('from ');
  expect(await blog(title)).toBeUndefined();
  await row.getByRole('link', { name: title }).click();
  await expect(page.getByLabel('Schedule for later')).toBeChecked();
  await page.getByLabel('Published', { exact: true }).check();
  await page.getByRole('button', { name: 'Save and continue editing' }).click();
  await expect(page.getByRole('status').first()).toContainText('saved.');
  const published = await blog(title);
  expect(published?.content).toMatch(
    /^<h2>Before the film<\/h2><p>The lamps go out <strong>slowly<\/strong>\. <span lang="ml">വെളിച്ചം<\/span> <a href="https:\/\/example\.org"[^>]*>https:\/\/example\.org<\/a><\/p><img src="\/media\/pictures\/[0-9a-f]+\.png\?w=1080" alt="A lamp above the door"><p>After it\.<\/p>$/,
  );
  expect(published?.image_alt).toBe('The poster');
  await page.getByRole('link', { name: 'View on the site' }).click();
  await expect(page.getByRole('img', { name: 'The poster' })).toBeVisible();
});

test('a document is uploaded when it is chosen, and opens from the form', async ({ page, watch }) => {
  watch.expect(/^status 422: .*magazines\/new$/, /^console error: Failed to load.*422/);
  await openAs(page, site, await createAccount(site, 'editor'), '/admin/magazines/new');
  await page.getByLabel('Name').fill(`Issue ${Date.now()}`);
  const input = page.locator('input[type="file"][name="magazine"]');
  await input.setInputFiles({ name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no PDF') });
  await expect(page.locator('.field:has([name="magazine"]) [role="status"]')).toContainText('PDF');
  await expect(page.locator('input[name="kept_magazine"]')).toHaveCount(0);
  await input.setInputFiles(issue);
  await expect(page.getByText('issue.pdf uploaded.')).toBeVisible();
  const href = await page.getByRole('link', { name: 'issue.pdf' }).getAttribute('href');
  const opened = await page.request.get(site.url + href);
  expect(opened.headers()['content-type']).toBe('application/pdf');
  expect(await faults(page)).toEqual([]);
});

test('markup unknown to the editor is preserved', async ({ page }) => {
  const title = `Table ${Date.now()}`;
  await openAs(page, site, await createAccount(site, 'editor'), '/admin/blogs/new');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Edit HTML' }).click();
  const source = page.getByLabel('Text as HTML');
  await source.fill('<table><tbody><tr><td>Cell</td></tr></tbody></table>');
  await page.getByRole('button', { name: 'Back to the editor' }).click();
  await expect(page.getByText('The editor does not support <table>')).toBeVisible();
  await page.getByLabel('Published', { exact: true }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByLabel('Text as HTML')).toHaveValue(/<td>Cell<\/td>/);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect((await blog(title))?.content).toContain('<td>Cell</td>');
});

test('the keyboard alone reaches and uses the toolbar', async ({ page }) => {
  await openAs(page, site, await createAccount(site, 'editor'), '/admin/blogs/new');
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  const tools = page.getByRole('toolbar');
  await expect(tools).toBeVisible();
  await text.focus();
  await page.keyboard.press('Shift+Tab');
  await expect(tools.getByRole('button', { name: 'Paragraph' })).toBeFocused();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight');
  await expect(tools.getByRole('button', { name: 'Bold' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(text).toBeFocused();
  await expect(tools.getByRole('button', { name: 'Bold' })).toHaveAttribute('aria-pressed', 'true');
});

test('focus in a text is kept when its editor loads', async ({ page }) => {
  let load = () => {};
  const isReady = new Promise<void>((ready) => (load = ready));
  await page.route(/rich-text[^/]*\.js$/, async (route) => {
    await isReady;
    await route.continue();
  });
  await openAs(page, site, await createAccount(site, 'editor'), '/admin/blogs/new');
  const area = page.locator('textarea[name="content"]');
  await area.focus();
  load();
  await expect(page.getByRole('toolbar')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toBeFocused();
  await page.keyboard.type('Typed on');
  await expect(area).toHaveValue('<p>Typed on</p>');
});

test('rows are reordered', async ({ page }) => {
  await openAs(page, site, await createAccount(site, 'editor'), '/admin/venues/order');
  const rows = page.locator('.order li span');
  const before = await rows.allTextContents();
  await page.getByRole('button', { name: `${before[1]}: up` }).click();
  await expect(rows.first()).toHaveText(before[1] ?? '');
  await page.getByRole('button', { name: 'Save order' }).click();
  await expect(page.getByRole('status')).toContainText('Order of venues saved.');
  const venues = await site.get<{ name: string }[]>('/venues/');
  expect(venues[0]?.name).toBe(before[1]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('pictures and blogs are edited with plain forms', async ({ page, watch }) => {
    watch.expect(/status 422|console error: Failed to load/);
    const title = `Plain ${Date.now()}`;
    await openAs(page, site, await createAccount(site, 'editor'), '/admin/pictures');
    await page.getByLabel('Picture', { exact: true }).setInputFiles(picture);
    await page.getByLabel('Describe the picture').first().fill('A screen in the dark');
    await page.getByRole('button', { name: 'Add picture' }).click();
    await expect(page.getByRole('status')).toHaveText('Picture added.');
    const address = await page.locator('.pictures code').first().textContent();

    await page.goto(`${site.url}/admin/blogs/new`);
    await page.getByLabel('Title').fill(title);
    await page.locator('input[type="file"]').setInputFiles(picture);
    const html = `<p>By <strong>hand</strong>, <a href="/films">here</a>.</p><img src="${address}" alt="A screen">`;
    await page.locator('textarea[name="content"]').fill(html);
    await page.getByLabel('Schedule for later').check();
    await page.getByLabel('Publish on').fill(festivalTime(-60));
    const shown = await preview(page);
    await expect(shown.getByRole('heading', { name: title })).toBeVisible();
    await expect(shown.getByRole('img', { name: 'A screen', exact: true })).toBeVisible();
    await shown.close();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('This time is in the past').first()).toBeVisible();
    await page.getByLabel('Publish on').fill(festivalTime(60));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('row', { name: new RegExp(title) })).toContainText('from ');
    expect(await blog(title)).toBeUndefined();
  });
});

test('every editing page is accessible, wide and narrow', async ({ page }) => {
  await openAs(page, site, await createAccount(site, 'owner'));
  for (const path of ['blogs', 'blogs/new', 'blogs/1', 'blogs/1/history', 'pages/1', 'pictures', 'venues/order']) {
    await page.goto(`${site.url}/admin/${path}`);
    expect.soft(await faults(page, 1440, 360), path).toEqual([]);
  }
});
