import { join } from 'node:path';
import { faults } from '../support/axe.ts';
import { createAccount, openAs } from '../support/admin.ts';
import { root, start } from '../support/program.ts';
import { expect, type Page, type Site, test } from '../support/test.ts';

// The daily work of an organiser in the browser, with the real program.

const file = (name: string) => join(root, 'tests/fixtures', name);
const poster = file('pictures/poster.png');
const still = file('pictures/still.jpg');

let site: Site;
test.beforeAll(async () => {
  // The test uploads more than one client may.
  site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'), {
    FESTIVAL_UPLOADS__MIB_PER_CLIENT_AND_HOUR: '0',
    FESTIVAL_UPLOADS__KEEP_FREE_MIB: '0',
  });
});
test.afterAll(() => site.stop());

/** Opens a page without waiting for its pictures, which are scaled on the first request. */
const go = (page: Page, path: string) => page.goto(site.url + path, { waitUntil: 'domcontentloaded' });

/** Fills an input of any kind. */
async function put(page: Page, name: string, value: string) {
  const input = page.locator(`form.wide [name="${name}"]`);
  const kind = await input.evaluate((element) => (element instanceof HTMLInputElement ? element.type : element.tagName));
  if (kind === 'file') await input.setInputFiles(value);
  else if (kind === 'checkbox') await input.check();
  else if (kind === 'SELECT') await input.selectOption(value);
  else if (await input.isVisible()) await input.fill(value);
  else await page.locator(`form.wide .field:has([name="${name}"]) [contenteditable="true"]`).fill(value);
}

/** Adds a row through the button on its list. */
async function add(page: Page, list: string, values: Record<string, string>) {
  await go(page, `/admin/${list}`);
  await page.getByRole('link', { name: /^Add / }).click();
  for (const [name, value] of Object.entries(values)) await put(page, name, value);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status')).toContainText('added.');
}

/** Adds one row of each kind and checks that visitors see it. `mark` makes the rows unique. */
async function day(page: Page, mark: string) {
  const sees = async (path: string, text: string) => {
    await go(page, path);
    await expect(page.locator('main')).toContainText(text);
  };
  await add(page, 'categories', { slug: `night-${mark}`, name: `Night films ${mark}` });
  await sees('/films', `Night films ${mark}`);

  await add(page, 'films', {
    category: `night-${mark}`,
    name: `The Owl ${mark}`,
    director_name: 'Uma Rao',
    synopsis: 'She sees in the dark.\nHe does not.',
    poster,
    still_one: still,
    still_two: still,
  });
  const categories = await site.get<{ id: number; name: string }[]>('/categories/');
  const category = categories.find(({ name }) => name === `Night films ${mark}`);
  await sees(`/films/${category?.id}`, `The Owl ${mark}`);
  const [film] = await site.get<{ id: number; poster: string }[]>(`/categories/${category?.id}/films/`);
  expect((await fetch(film?.poster ?? '')).headers.get('content-type')).toBe('image/png');
  await go(page, `/films/${category?.id}?film=${film?.id}`);
  await expect(page.getByText('She sees in the dark.').first()).toBeVisible();

  await add(page, 'blogs', { title: `Lamps ${mark}`, image: still, content: `<p>The lamps are lit, ${mark}.</p>` });
  await sees('/blogs', `Lamps ${mark}`);
  await page.getByRole('link', { name: new RegExp(`Lamps ${mark}`) }).first().click();
  await expect(page.locator('main')).toContainText(`The lamps are lit, ${mark}.`);

  await add(page, 'upcoming-events', {
    event: `Open air ${mark}`,
    event_datetime: '2031-10-24T18:00',
    location: 'The bridge',
    image: poster,
  });
  await sees('/', `Open air ${mark}`);

  await add(page, 'magazines', { name: `Issue ${mark}`, vol: '9', issue: '1', magazine: file('pictures/issue.pdf') });
  await sees('/kottaka', `Issue ${mark}`);

  await add(page, 'team-members', { role: 'members', name: `Asha ${mark}`, portrait: poster });
  await sees('/team', `Asha ${mark}`);

  await add(page, 'history-years', { year: mark, venue: `The old mill ${mark}` });
  await sees('/history', `The old mill ${mark}`);

  // A list from a spreadsheet is previewed, then imported.
  await go(page, `/admin/films`);
  await page.getByRole('link', { name: 'Import a list' }).click();
  await page.locator('input[type="file"]').setInputFiles({
    name: 'films.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Film,Wer,Year,Section\nThe Bat ${mark},Ravi Nair,2024,Night films ${mark}\n`),
  });
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(page.getByRole('region', { name: 'Line by line' })).toContainText(`The Bat ${mark}`);
  await page.getByLabel(/^Wer\b/).selectOption('Director');
  await page.getByRole('button', { name: 'Update preview' }).click();
  await expect(page.getByRole('region', { name: 'Line by line' })).toContainText('Ravi Nair');
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await expect(page.getByRole('status')).toHaveText('List imported: 1 new, 0 changed. Undo an import');
  await sees(`/films/${category?.id}`, `The Bat ${mark}`);
  await expect(page.locator('main')).toContainText('Ravi Nair');

  // A row is deleted by mistake and restored.
  await go(page, `/admin/team-members?q=Asha+${mark}`);
  await page.getByRole('link', { name: `Asha ${mark}` }).click();
  await page.getByRole('link', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('status')).toHaveText(`“Asha ${mark}” deleted. Deleted team members`);
  await go(page, `/team`);
  await expect(page.locator('main')).not.toContainText(`Asha ${mark}`);
  await go(page, `/admin/team-members/bin`);
  await page.getByRole('button', { name: `Restore Asha ${mark}` }).click();
  await sees('/team', `Asha ${mark}`);
}

test('an organiser’s changes are on the site at once', async ({ page }) => {
  await openAs(page, site, await createAccount(site, 'editor'));
  await day(page, '1987');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('an organiser’s day works without JavaScript', async ({ page, watch }) => {
    // Chromium reports preloaded scripts as blocked.
    watch.expect(/^failed: \S+\/assets\/\S+\.js csp$/);
    await openAs(page, site, await createAccount(site, 'editor'));
    await day(page, '1986');
  });
});

test('every page that the navigation reaches is accessible and fits a phone', async ({ page }) => {
  await openAs(page, site, await createAccount(site, 'owner'));
  const check = async (path: string) => expect.soft(await faults(page, 1440, 360), path).toEqual([]);
  const links = () => page.locator('a[href^="/admin"]').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  const reached = new Set(await links());
  expect(reached.size).toBeGreaterThan(25);
  let film: string | undefined;
  // Pages that are discovered on the way are added: a form of each kind, and every page of films and of one film.
  for (const path of reached) {
    await go(page, path);
    for (const link of await links()) {
      const plain = link.split('?')[0] ?? '';
      const [, rest, id] = /^\/admin\/films(\/(\d+)?.*)$/.exec(plain) ?? [];
      if (id) film ??= `/admin/films/${id}`;
      if (plain === `${path}/new` || (rest && !id) || (film && `${plain}/`.startsWith(`${film}/`))) reached.add(plain);
    }
    await check(path);
  }
  expect(reached.size).toBeGreaterThan(80);
  for (const rest of ['', '/history', '/delete']) expect(reached).toContain(`${film}${rest}`);
  // The preview of an import with valid and invalid lines and unknown columns.
  await go(page, '/admin/films/import');
  await page.locator('input[type="file"]').setInputFiles({
    name: 'films.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Title,Werk,Year,Section\nThe Bat,x,2024,Night\nThe Owl,y,20x4,Night\n'),
  });
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(page.getByRole('region', { name: 'Errors' })).toContainText('20x4');
  await check('a list on its way in');
});

test('submitted markup and scripts run on no page', async ({ page, watch }) => {
  // Missing pictures are requested; nothing else may happen.
  watch.expect(/\/nothing-here/);
  await openAs(page, site, await createAccount(site, 'owner'));
  const evil = `<script>window.ran = 1</script><img src=/nothing-here onerror="window.ran = 1"><svg onload=window.ran=1>"'{{x}}`;
  const ran = () => page.evaluate(() => (window as { ran?: number }).ran);
  const nav = page.locator('.side .nav a[href^="/admin/"]');
  const lists = await nav.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  let written = 0;
  for (const [index, list] of lists.entries()) {
    await go(page, list);
    const button = page.locator(`a[href^="${list}/new"]`).first();
    // Every film of the demonstration has its certificate, every entry its reviewers, and accounts are no records.
    const others = ['/admin/certificates', '/admin/selection-assignments', '/admin/accounts'];
    if ((await button.count()) === 0 || others.includes(list)) continue;
    await button.click();
    await page.waitForURL(/\/new\b/);
    // Formatted texts are entered as HTML.
    const sources = page.getByRole('button', { name: 'Edit HTML' });
    await expect(sources).toHaveCount(await page.locator('textarea[data-rich]').count());
    for (const source of await sources.all()) await source.click();
    const required = await page.locator('form.wide').evaluate(
      (form, { evil, slug }) => {
        const inputs = form.querySelectorAll<HTMLInputElement>('input:not([type="hidden"], [type="checkbox"], [type="radio"]), textarea');
        const values: Record<string, string> = { slug, map_link: 'https://example.org/', festival: 'isff-2025', ends_at: '2031-10-24T19:00' };
        const kinds: Record<string, string> = {
          date: '2031-10-24',
          'datetime-local': '2031-10-24T18:00',
          email: 'lantern@example.org',
          url: '/',
        };
        for (const input of inputs) {
          if (input.type === 'file' || !input.checkVisibility()) continue;
          const number = input.name === 'year' ? '2033' : '33';
          const usual = /url|href/.test(input.name) ? '/' : input.inputMode === 'numeric' ? number : evil;
          input.value = values[input.name] ?? kinds[input.type] ?? usual;
          input.dispatchEvent(new Event('input', { bubbles: true }));
        }
        for (const select of form.querySelectorAll('select')) {
          if (select.name) select.selectedIndex = select.required ? select.options.length - 1 : 1;
        }
        return [...inputs].filter(({ type, required }) => type === 'file' && required).map(({ name, accept }) => ({ name, accept }));
      },
      { evil, slug: `evil-${index}` },
    );
    for (const { name, accept } of required) await put(page, name, accept.includes('pdf') ? file('pictures/issue.pdf') : poster);
    const published = page.locator('[name="is_published"][value="yes"]');
    if ((await published.count()) > 0) await published.check();
    await page.getByRole('button', { name: 'Save and continue editing' }).click();
    await expect(page.locator('.flash'), list).toContainText('added.');
    const form = page.url();
    expect(await ran(), form).toBeUndefined();
    for (const address of [`${form}/history`, `${form}/delete`, site.url + list]) {
      await page.goto(address, { waitUntil: 'domcontentloaded' });
      expect(await ran(), address).toBeUndefined();
    }
    written += 1;
  }
  expect(written).toBeGreaterThan(18);
  const sitemap = await (await fetch(`${site.url}/sitemap.xml`)).text();
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address ?? '').pathname);
  const kinds = new Map(pages.map((path) => [path.replace(/\d+/g, '#'), path]));
  expect(kinds.size).toBeGreaterThan(12);
  for (const path of new Set([...kinds.values(), ...pages.filter((path) => /^\/(blog|films)\/\d+$/.test(path))])) {
    await go(page, path);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    expect(await ran(), path).toBeUndefined();
  }
});
