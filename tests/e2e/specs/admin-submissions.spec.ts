import { faults } from '../support/axe.ts';
import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import type { FormDescription } from '../../../frontend/src/shared/api/generated/forms.ts';
import { createAccount, openAs, shortcut } from '../support/admin.ts';
import { fillAll, ready, sendToSuccess } from '../support/forms.ts';
import { start } from '../support/program.ts';
import { expect, type Page, type Site, test } from '../support/test.ts';

let site: Site;
test.beforeAll(async () => {
  site = await start(process.env.FESTIVAL_TEST_FILLED ? `${process.env.FESTIVAL_TEST_FILLED}/demo` : null, {
    FESTIVAL_MODULES__FORMS__MINIMUM_SECONDS: '0',
  });
});
test.afterAll(() => site.stop());

/** Submits the film form with this title. */
async function sendFilm(page: Page, form: FormDescription, title: string): Promise<void> {
  await page.goto(site.url + form.path);
  await ready(page);
  await fillAll(page, form);
  await page.locator('#field-title_english').fill(title);
  await sendToSuccess(page);
}

for (const javaScriptEnabled of [true, false]) {
  test(`a film from the form to a verified payment, ${javaScriptEnabled ? 'with' : 'without'} a script`, async ({
    page,
    browser,
  }) => {
    const title = `A Light ${javaScriptEnabled}`;
    await sendFilm(page, forms.malayalam, title);
    const context = await browser.newContext({ javaScriptEnabled });
    const desk = await context.newPage();
    await openAs(desk, site, await createAccount(site, 'desk'), '/admin/film-submissions');
    await desk.getByLabel('Search').fill(title);
    await desk.getByRole('button', { name: 'Filter' }).click();
    await expect(desk.locator('tbody tr')).toHaveCount(1);
    await desk.getByRole('link', { name: title }).click();
    await expect(desk.getByRole('heading', { level: 1, name: title })).toBeVisible();
    const proof = desk.getByRole('img', { name: 'Proof of payment' });
    await expect.poll(() => proof.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await proof.click();
    await expect(desk).toHaveURL(/\/files\/screenshot\/view/);
    const full = desk.getByRole('img', { name: /^Screenshot of the payment/ });
    await expect.poll(() => full.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await desk.getByRole('link', { name: title }).click();
    const papers = desk.getByRole('img', { name: 'Documentation, opens in full size' });
    await papers.scrollIntoViewIfNeeded();
    await expect.poll(() => papers.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(1000);
    await papers.click();
    const firstPage = desk.getByRole('img', { name: /^Page 1 of \d+$/ });
    await expect.poll(() => firstPage.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(1000);
    if (javaScriptEnabled) expect(await faults(desk)).toEqual([]);
    await desk.getByRole('link', { name: title }).click();
    const download = desk.waitForEvent('download');
    await desk.getByRole('link', { name: 'Download Documentation' }).click();
    expect((await download).suggestedFilename()).toMatch(/^ML-\d{4}-\d{4} documentation\.\w+$/);
    await desk.getByRole('radio', { name: 'Verified' }).check();
    await desk.getByLabel('Transaction number on the proof').fill(`UTR 44455566677${Number(javaScriptEnabled)}`);
    await desk.getByLabel('Amount on the proof').fill('Rs. 4,000/-');
    await desk.getByLabel('Status', { exact: true }).selectOption('Shortlisted');
    await desk.getByLabel('Note').fill('₹1,000 to follow.');
    await desk.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(desk.getByRole('status')).toHaveText(/ML-\d{4}-\d{4} saved: status, payment and note\./);
    await expect(desk.getByRole('heading', { name: 'Payment Verified' })).toBeVisible();
    await expect(desk.getByText('₹1,000 less than is due.')).toBeVisible();
    await expect(desk.locator('.history')).toContainText('Shortlisted');
    await context.close();
  });
}

test('a key opens the next submission, and a mail is previewed before it is sent', async ({ page, browser }) => {
  for (const title of ['First of three', 'Second of three', 'Third of three']) await sendFilm(page, forms.malayalam, title);
  const desk = await browser.newPage();
  await openAs(desk, site, await createAccount(site, 'desk'), '/admin/film-submissions?q=of+three&payment=unchecked');
  await desk.getByRole('link', { name: 'Third of three' }).click();
  await desk.getByRole('radio', { name: 'Verified' }).check();
  await shortcut(desk, 'Control+Enter');
  await expect(desk.getByRole('heading', { level: 1, name: 'Second of three' })).toBeVisible();
  await shortcut(desk, 'Alt+n');
  await expect(desk.getByRole('heading', { level: 1, name: 'First of three' })).toBeVisible();
  await shortcut(desk, 'Alt+p');
  await expect(desk.getByRole('heading', { level: 1, name: 'Second of three' })).toBeVisible();
  await desk.getByRole('radio', { name: 'Rejected' }).check();
  await desk.getByLabel('Why it is rejected').fill('The picture shows another payment');
  await desk.getByRole('button', { name: 'Preview the mail' }).click();
  const preview = desk.getByRole('region', { name: 'Preview of the mail' });
  await expect(preview).toContainText('Reason: The picture shows another payment');
  expect(await faults(desk)).toEqual([]);
  await desk.getByLabel('Tell the sender by mail').check();
  await shortcut(desk, 'Control+s');
  await expect(desk.getByRole('status')).toContainText('The mail is on its way.');
  // All remaining results of the filter, at once.
  await desk.getByRole('link', { name: 'Film submissions' }).last().click();
  await desk.getByLabel('Select all 1 of this filter').check();
  await desk.getByLabel('With the selected').selectOption('Verify');
  await desk.getByRole('button', { name: 'Continue' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Verify 1 payment?' })).toBeVisible();
  expect(await faults(desk)).toEqual([]);
  await desk.getByRole('button', { name: 'Verify the payments' }).click();
  await expect(desk.getByRole('status')).toContainText('1 payment verified.');
  await desk.close();
});

test('every page about submissions is accessible, wide and narrow, and runs no submitted script', async ({ page, browser }) => {
  const hostile = '<script>document.title = "ran"</script><img src=x onerror="document.title=\'ran\'">';
  await page.goto(site.url + forms.malayalam.path);
  await ready(page);
  await fillAll(page, forms.malayalam);
  for (const field of forms.malayalam.fields) {
    if (field.kind === 'text' || field.kind === 'lines') await page.locator(`#field-${field.name}`).fill(hostile);
  }
  const picture = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 900;
    canvas.height = 1600;
    canvas.getContext('2d')?.fillRect(10, 10, 880, 1580);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    return Array.from(new Uint8Array((await blob?.arrayBuffer()) ?? []));
  });
  const file = { name: '<script>document.title="ran"<\u2215script>.png', mimeType: 'image/png', buffer: Buffer.from(picture) };
  for (const field of forms.malayalam.fields) {
    if (field.kind === 'file') await page.locator(`#field-${field.name}`).setInputFiles(file);
  }
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(6);
  await sendToSuccess(page);

  const desk = await browser.newPage();
  const complaints: string[] = [];
  desk.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  desk.on('pageerror', (error) => complaints.push(String(error)));
  await openAs(desk, site, await createAccount(site, 'owner'), '/admin/film-submissions');
  const one = await desk.locator('tbody a').filter({ hasText: 'script' }).first().getAttribute('href');
  const pages = [
    '/admin/film-submissions',
    '/admin/film-submissions?q=nothing-at-all',
    `${one}`,
    `${one}/files/screenshot/view`,
    '/admin/film-submissions/export',
    '/admin/delegates',
    '/admin/money',
    '/admin/contact-messages',
    '/admin/quarantine',
    '/admin/mail',
    '/admin/mail?part=sent',
  ];
  for (const path of pages) {
    await desk.goto(site.url + path);
    expect(await faults(desk, 1440, 360), path).toEqual([]);
    expect(await desk.title(), path).not.toBe('ran');
  }
  expect(complaints).toEqual([]);
  await desk.close();
});
