import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { faults } from '../support/axe.ts';
import { fillAll, ready, sendToSuccess } from '../support/forms.ts';
import { root, start } from '../support/program.ts';
import { expect, type Site, test } from '../support/test.ts';

let site: Site;
test.beforeAll(async () => {
  site = await start(process.env.FESTIVAL_TEST_FILLED ? `${process.env.FESTIVAL_TEST_FILLED}/demo` : null, {
    FESTIVAL_MODULES__FORMS__MINIMUM_SECONDS: '0',
    FESTIVAL_PUBLIC_URL: 'http://127.0.0.1',
  });
});
test.afterAll(() => site.stop());

/** The text of a mail that the site has written to its folder. */
function textOf(mail: string): string {
  const [head = '', ...body] = mail.split('\r\n\r\n');
  const encoded = body.join('\r\n\r\n');
  if (/^Content-Transfer-Encoding: base64/im.test(head)) return Buffer.from(encoded, 'base64').toString();
  return encoded.replaceAll('=\r\n', '').replaceAll('=3D', '=');
}

/** The path of the link in the receipt, once it is sent. */
async function linkInReceipt(): Promise<string> {
  let link = '';
  await expect
    .poll(
      async () => {
        const folder = join(site.data, 'mails');
        const names = await readdir(folder).catch(() => []);
        const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
        link = mails.map((mail) => /\/status\?key=[0-9a-f]{32}/.exec(textOf(mail))?.[0]).find(Boolean) ?? '';
        return link;
      },
      { timeout: 30_000 },
    )
    .not.toBe('');
  return link;
}

test('a sender follows a film on a phone, replaces its poster, corrects a text and withdraws', async ({
  page,
  browser,
}) => {
  await page.goto(site.url + forms.malayalam.path);
  await ready(page);
  await fillAll(page, forms.malayalam);
  await page.locator('#field-title_english').fill('A Light Followed');
  await sendToSuccess(page);
  const link = site.url + (await linkInReceipt());

  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your film: A Light Followed');
  expect(await faults(page, 360, 1440)).toEqual([]);

  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
  const phone = await context.newPage();
  await phone.goto(link);
  await phone.getByText('Replace Poster of the film').click();
  await phone
    .getByLabel('Another file for “Poster of the film”')
    .setInputFiles(join(root, 'tests/fixtures/pictures/poster.png'));
  await phone.getByRole('button', { name: 'Send the file' }).locator('visible=true').click();
  await expect(phone.getByRole('status')).toHaveText('The file has arrived. The former one stays with us, too.');
  await phone.getByText('Correct Short synopsis').click();
  await phone.getByLabel('Short synopsis: what it should say').fill('A lamp in the rain.');
  await phone.getByRole('button', { name: 'Propose the correction' }).locator('visible=true').click();
  await expect(phone.getByRole('main')).toContainText('your correction A lamp in the rain.');
  await phone.getByRole('button', { name: 'Withdraw the film' }).click();
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Withdraw the film?');
  await phone.getByRole('button', { name: 'Withdraw' }).click();
  await expect(phone.getByRole('main')).toContainText('You have withdrawn the film.');
  await context.close();
});

test('the form for a lost link has no faults and always answers alike', async ({ page }) => {
  await page.goto(`${site.url}/status`);
  expect(await faults(page, 360, 1440)).toEqual([]);
  await page.getByLabel('Your e-mail address').fill('nobody@example.org');
  await page.getByRole('button', { name: 'Send me the link' }).click();
  await expect(page.getByRole('status')).toContainText('If something was sent to us with this address');
});
