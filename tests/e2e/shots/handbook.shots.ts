import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { createAccount, openAs } from '../support/admin.ts';
import { fillAll, ready, sendToSuccess } from '../support/forms.ts';
import { root, start } from '../support/program.ts';
import { expect, type Page, test } from '../support/test.ts';
import { webp } from '../support/webp.ts';

// The pictures of the organisers' handbook (docs/handbook/pictures), from the demonstration festival: `make handbook`.
// If a screen has changed, a step fails, and its chapter has to be reviewed.

const folder = join(root, 'docs/handbook/pictures');

/** Sends a form as visitors do. */
async function send(page: Page, address: string, form: (typeof forms)['delegate'], values: Record<string, string>) {
  await page.goto(address + form.path);
  await ready(page);
  await fillAll(page, form);
  for (const [name, value] of Object.entries(values)) await page.locator(`#field-${name}`).fill(value);
  await sendToSuccess(page);
}

test('the pictures of the handbook', async ({ page, watch }) => {
  test.setTimeout(600_000);
  watch.expect(/./);
  const site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'), { FESTIVAL_MODULES__FORMS__MINIMUM_SECONDS: '0' });
  try {
    await send(page, site.url, forms.malayalam, { title_english: 'The Last Ferry' });
    await send(page, site.url, forms.asian, { title_english: 'Paper Boats' });
    await send(page, site.url, forms.delegate, {
      name: 'Meera Varier',
      email: 'meera@example.org',
      address: '12 Lake Road, Kochi',
      occupation: 'Teacher',
      transaction_details: 'UTR 512345678901',
    });
    await page.setViewportSize({ width: 1280, height: 800 });
    await openAs(page, site, await createAccount(site, 'owner'));
    const encoder = await page.context().newPage();
    const shot = async (name: string) => writeFile(join(folder, `${name}.webp`), await webp(encoder, await page.screenshot()));
    const open = async (path: string, heading: string | RegExp) => {
      await page.goto(site.url + path);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    };
    await open('/admin/', /^Good to see you/);
    await shot('dashboard');
    await open('/admin/pages', 'Page texts');
    await page.locator('tbody th a').first().click();
    await expect(page.getByRole('toolbar')).toBeVisible();
    await shot('page-text');
    await open('/admin/current-edition', /edition/i);
    await shot('editions');
    await open('/admin/film-submissions?award=malayalam', 'Film submissions');
    await expect(page.getByRole('link', { name: 'The Last Ferry' })).toBeVisible();
    await shot('submissions');
    await open('/admin/delegates', 'Delegates');
    await page.locator('tbody th a').first().click();
    await expect(page.getByRole('img', { name: 'Proof of payment' })).toBeVisible();
    await shot('delegate');
    await open('/admin/delegates/print', 'Door list');
    await shot('door-list');
    await open('/admin/mail', 'Mails');
    await shot('mails');
    await open('/admin/settings/mails/film-receipt', 'Receipt for a film');
    await shot('mail-text');
    await open('/admin/settings/closing', 'Deadline, countdown and closing');
    await shot('closing');
    await open('/admin/films', 'Films');
    await shot('films');
    await open('/admin/films?q=rain', 'Films');
    await page.getByText('Save filters', { exact: true }).click();
    await page.getByLabel('Name of this filter').fill('Films with rain');
    await page.getByRole('button', { name: 'Save the filter' }).click();
    await expect(page.getByRole('link', { name: 'Films with rain' })).toBeVisible();
    await shot('saved-filter');
    await open('/admin/films/import', /import/i);
    await page.locator('input[type="file"]').setInputFiles(join(root, 'tests/fixtures/films/films_utf8_bom_crlf.csv'));
    await page.getByRole('button', { name: 'Check file' }).click();
    await expect(page.getByRole('button', { name: 'Import', exact: false }).first()).toBeVisible();
    await shot('import');
    await open('/admin/programme', /plan/i);
    await shot('programme');
    await open('/admin/guests', 'Guests');
    await shot('guests');
    await open('/admin/audit', 'Audit log');
    await shot('audit');
    // The last, because it is not saved.
    await open('/admin/blogs/new', 'New blog');
    await page.getByLabel('Schedule for later').check();
    await page.getByLabel('Publish on').scrollIntoViewIfNeeded();
    await shot('blog');
  } finally {
    await site.stop();
  }
});
