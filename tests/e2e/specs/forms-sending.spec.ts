import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { errorToasts, fill, fillAll, fileFor, inputOf, pictureOfSize, ready, sendToSuccess, submitButton, waitForDraft } from '../support/forms.ts';
import { CuttableProxy, type FormsServer, partsOf, startFormsServer } from '../support/forms-server.ts';
import { temporaryFolder } from '../support/program.ts';
import { delegateTexts, filmFiles, filmTexts } from '../support/specified-fields.ts';
import { expect, type Page, test } from '../support/test.ts';
import { FORM_FAILURE } from '../support/watch.ts';

let server: FormsServer;
let proxy: CuttableProxy;
let pictures: string;
test.beforeAll(async () => {
  server = await startFormsServer({ FESTIVAL_CONTACT__EMAIL: 'office@example.org' });
  pictures = await temporaryFolder();
});
test.afterAll(async () => {
  await server.stop();
  await rm(pictures, { recursive: true, force: true });
});

test.beforeEach(async ({ page }) => {
  proxy = await CuttableProxy.to(server.url);
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => void dialog.accept());
});
test.afterEach(() => proxy.close());

/** The tile of a file field. */
function tile(page: Page, name: string) {
  return page.locator('[data-chosen]', { has: inputOf(page, name) });
}

/** What our forms send in addition. */
const added = ['declared_feature_label', 'award_category', 'payment_code', 'consent', 'consent_notice', 'website', 'elapsed_seconds'];

for (const [key, path, names] of [
  ['asian', '/api/changed/', [...filmTexts, ...filmFiles]],
  ['indian', '/api/changed/', [...filmTexts, ...filmFiles]],
  ['malayalam', '/api/changed/', [...filmTexts, ...filmFiles]],
  ['delegate', '/api/delegate-form/', [...delegateTexts, 'screenshot', 'signature']],
] as const) {
  test(`${key}: one multipart POST carries the fields and files of the specification, and nothing leaves before it`, async ({ page }) => {
    const form = forms[key];
    await page.goto(proxy.url + form.path);
    await ready(page);
    await fillAll(page, form);
    await waitForDraft(page, form);
    await page.reload();
    await ready(page);
    // A missing field: nothing is sent.
    await page.getByRole('button', { name: /^Remove Signature/ }).click();
    await submitButton(page).click();
    await expect(errorToasts(page).last()).toHaveText('Please fill in signature');
    expect(proxy.posts, 'nothing is sent before every check has passed').toEqual([]);
    for (const field of form.fields.filter(({ name }) => name === 'signature')) await fill(page, field);
    expect(proxy.posts, 'nothing is sent before Submit is pressed').toEqual([]);

    await sendToSuccess(page);
    expect(proxy.posts.map(({ path }) => path)).toEqual([path]);
    const [post] = proxy.posts;
    if (!post) throw new Error('nothing was sent');
    expect(post.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(post.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(post.headers['staged-files']).toBeUndefined();
    const parts = await partsOf(post);
    expect(parts.map(([name]) => name).filter((name) => !added.includes(name))).toEqual(names);
    for (const field of form.fields.filter(({ kind, required }) => kind === 'file' && required)) {
      const chosen = fileFor(field);
      const sent = parts.find(([name]) => name === field.name)?.[1];
      if (typeof sent !== 'object') throw new Error(`${field.name} is no file`);
      expect(sent.name).toBe(basename(chosen));
      expect(sent.bytes.equals(await readFile(chosen)), `${field.name}: the bytes of the file`).toBe(true);
    }
    const value = (name: string) => parts.find(([part]) => part === name)?.[1];
    if (key === 'delegate') expect(value('category')).toBe('Membership');
    else expect([value('screener_link_password'), value('presentation_format'), value('award_category')]).toEqual(['NO', 'DCP', key]);
  });
}

for (const [award, choice, value] of [
  ['asian', 'No', 'No'],
  ['asian', 'Second', 'Second'],
  ['indian', 'Indian Panorama', 'Indian_Panorama'],
  ['malayalam', 'Second Film', 'Second'],
] as const) {
  test(`${award}: "${choice}" is sent as ${value}`, async ({ page }) => {
    await page.goto(`${proxy.url}/form-${award}`);
    await ready(page);
    await fillAll(page, forms[award]);
    await inputOf(page, 'is_first_or_second_feature').selectOption({ label: choice });
    await inputOf(page, 'film_type').selectOption({ label: 'Short Film' });
    await page.getByRole('radio', { name: 'No', exact: true }).check();
    await sendToSuccess(page);
    const sent = Object.fromEntries(await partsOf(proxy.posts[0] as never));
    expect(sent).toMatchObject({ is_first_or_second_feature: value, film_type: 'Short Film', subtitles: 'No', award_category: award });
  });
}

test('the photo of a delegate is sent only if there is one, last', async ({ page }) => {
  await page.goto(`${proxy.url}/form`);
  await ready(page);
  await fillAll(page, forms.delegate);
  for (const field of forms.delegate.fields.filter(({ name }) => name === 'image')) await fill(page, field);
  await sendToSuccess(page);
  const names = (await partsOf(proxy.posts[0] as never)).map(([name]) => name);
  expect(names.filter((name) => !added.includes(name))).toEqual([...delegateTexts, 'screenshot', 'signature', 'image']);
});

test('a message is sent as JSON', async ({ page }) => {
  await page.goto(`${proxy.url}/contact-us`);
  await ready(page);
  for (const [name, text] of [['name', 'Anu'], ['email', 'anu@example.org'], ['contact', '0484 000'], ['message', 'Is there a bus?']] as const)
    await inputOf(page, name).fill(text);
  await submitButton(page).click();
  await expect(page.getByRole('dialog')).toContainText('Message sent successfully!');
  const [post] = proxy.posts;
  expect([post?.path, post?.headers['content-type']]).toEqual(['/api/contact/', 'application/json']);
  expect(JSON.parse(post?.body.toString() ?? '')).toMatchObject({
    name: 'Anu',
    email: 'anu@example.org',
    contact: '0484 000',
    message: 'Is there a bus?',
  });
});

test('after two interruptions the files go one by one, none that arrived goes again, and one row is stored', async ({ context, page, watch }) => {
  watch.expect(FORM_FAILURE, /ERR_EMPTY_RESPONSE|ERR_CONNECTION|^failed: .*\/api\/(changed|forms\/film\/files)/);
  const form = forms.asian;
  const before = (await server.submissions('film')).length;
  await page.goto(`${proxy.url}/form-asian`);
  await ready(page);
  await fillAll(page, form);
  // Each file is 300 kB long.
  const picture = join(pictures, 'picture.jpg');
  await writeFile(picture, await pictureOfSize(300_000));
  for (const name of filmFiles) {
    await inputOf(page, name).setInputFiles(picture);
    await expect(tile(page, name)).toContainText('picture.jpg');
  }
  await inputOf(page, 'title_english').fill('Interrupted twice');

  // In the middle of the form with its 1,800 kB.
  proxy.bytesUntilCut = 1_000_000;
  await submitButton(page).click();
  await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
  await expect(page.getByText('The files go one by one then, and what has arrived stays there.')).toBeVisible();
  expect(proxy.posts.map(({ path }) => path)).toEqual(['/api/changed/']);
  await waitForDraft(page, form);

  // The page is closed and opened again; the connection breaks in the middle of the third file.
  await page.reload();
  await ready(page);
  await expect(inputOf(page, 'title_english')).toHaveValue('Interrupted twice');
  proxy.posts.length = 0;
  proxy.bytesUntilCut = 750_000;
  await submitButton(page).click();
  await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
  const files = async () => Promise.all(proxy.posts.map(async (post) => (post.path === '/api/forms/film/files/' ? /name="(\w+)"/.exec(post.body.toString('latin1'))?.[1] : post.path)));
  expect(await files()).toEqual(['film_poster', 'director_photo', 'producer_consent']);
  for (const name of ['film_poster', 'director_photo']) await expect(tile(page, name)).toContainText('It has arrived, and is not sent again.');
  await expect(tile(page, 'producer_consent')).toContainText('Kept on this device. It is sent with the form.');
  await waitForDraft(page, form);

  await page.close();
  const again = await context.newPage();
  await again.goto(`${proxy.url}/form-asian`);
  await ready(again);
  proxy.posts.length = 0;
  proxy.bytesUntilCut = Number.POSITIVE_INFINITY;
  await sendToSuccess(again);
  expect(await files()).toEqual(['producer_consent', 'documentation', 'signature', 'screenshot', '/api/changed/']);
  const sent = proxy.posts.at(-1);
  expect(sent?.headers['staged-files']?.toString().split(', ').map((pair) => pair.split('=')[0]).sort()).toEqual([...filmFiles].sort());
  expect(sent?.body.length, 'the form itself carries no file').toBeLessThan(20_000);
  const films = (await server.submissions('film')).filter(({ title_english }) => title_english === 'Interrupted twice');
  expect([films.length, (await server.submissions('film')).length]).toEqual([1, before + 1]);
});

test('a form that was refused is sent whole again, in one request', async ({ page, watch }) => {
  watch.expect(/status (of )?422/);
  await page.route('**/api/delegate-form/', (route) => route.fulfill({ status: 422, json: { error: 'no', code: 'invalid', fields: [] } }));
  await page.goto(`${proxy.url}/form`);
  await ready(page);
  await fillAll(page, forms.delegate);
  await submitButton(page).click();
  await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
  await page.unroute('**/api/delegate-form/');
  await inputOf(page, 'transaction_details').fill('After a refusal');
  await sendToSuccess(page);
  expect(proxy.posts.map(({ path }) => path)).toEqual(['/api/delegate-form/']);
});

for (const [what, answer] of [
  ['takes no single files', { status: 404, json: { error: 'There is no such address.' } }],
  ['has no room for single files', { status: 503, json: { error: 'Files can only be sent with their form at the moment.' } }],
  ['stands behind a proxy that stops them', { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }],
] as const) {
  test(`after an interruption, a server that ${what} gets the files with the form`, async ({ page, watch }) => {
    watch.expect(FORM_FAILURE, /status (of )?(404|502|503)/, /ERR_EMPTY_RESPONSE|ERR_CONNECTION|^failed: .*\/api\/delegate-form/);
    await page.route('**/api/forms/delegate/files/', (route) => route.fulfill(answer));
    await page.goto(`${proxy.url}/form`);
    await ready(page);
    await fillAll(page, forms.delegate);
    await inputOf(page, 'transaction_details').fill(what);
    const before = (await server.submissions('delegate')).length;
    proxy.bytesUntilCut = 1000;
    await submitButton(page).click();
    await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
    proxy.bytesUntilCut = Number.POSITIVE_INFINITY;
    await sendToSuccess(page);
    expect((await server.submissions('delegate')).length).toBe(before + 1);
    expect(proxy.posts.at(-1)?.headers['staged-files']).toBeUndefined();
  });
}

test('files that the server no longer has are sent again with the form', async ({ page, watch }) => {
  watch.expect(FORM_FAILURE, /status (of )?422/, /ERR_EMPTY_RESPONSE|ERR_CONNECTION|^failed: .*\/api\/delegate-form/);
  await page.route('**/api/forms/delegate/files/', (route) => {
    const field = /name="(\w+)"/.exec(route.request().postData() ?? '')?.[1] ?? '';
    return route.fulfill({ status: 201, json: { ticket: 'f'.repeat(64), field, expires_at: '' } });
  });
  await page.goto(`${proxy.url}/form`);
  await ready(page);
  await fillAll(page, forms.delegate);
  await inputOf(page, 'transaction_details').fill('Expired tickets');
  proxy.bytesUntilCut = 1000;
  await submitButton(page).click();
  await expect(errorToasts(page).last()).toHaveText('Error submitting form!');
  proxy.bytesUntilCut = Number.POSITIVE_INFINITY;
  proxy.posts.length = 0;
  await sendToSuccess(page);
  expect(proxy.posts.map(({ path, headers }) => [path, headers['staged-files'] !== undefined])).toEqual([
    ['/api/delegate-form/', true],
    ['/api/delegate-form/', false],
  ]);
});

test('a damaged file is refused when it is chosen', async ({ page }) => {
  await page.goto(`${proxy.url}/form-asian`);
  await ready(page);
  const broken = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(2_000, 7)]);
  await inputOf(page, 'signature').setInputFiles({ name: 'torn.png', mimeType: 'image/png', buffer: broken });
  await expect(page.locator('#field-signature-problem')).toHaveText('This picture is damaged or incomplete. Please save a new copy and choose that one.');
  const cut = Buffer.from('%PDF-1.7\nonly the first line');
  await inputOf(page, 'documentation').setInputFiles({ name: 'cut.pdf', mimeType: 'application/pdf', buffer: cut });
  await expect(page.locator('#field-documentation-problem')).toHaveText('This PDF is damaged or incomplete. Please save a new copy and choose that one.');
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  expect(proxy.posts).toEqual([]);
});

test('input is kept while the sending code loads', async ({ page, watch }) => {
  watch.expect(/ERR_FAILED|^failed:.*form-tools|dynamically imported module|Unable to preload/);
  const [file] = forms.delegate.fields.filter(({ name }) => name === 'screenshot') as [(typeof forms.delegate.fields)[number]];
  await page.goto(`${proxy.url}/form`);
  await ready(page);
  await fill(page, file);
  await expect(tile(page, file.name)).toContainText('Kept on this device.');

  await page.route('**/assets/form-tools*.js*', (route) => route.abort());
  await page.reload();
  await expect(tile(page, file.name)).toContainText('Kept on this device.');
  await inputOf(page, 'name').fill('Meera');
  await inputOf(page, 'name').blur();
  await expect(page.getByRole('main')).toContainText('Your entries are kept on this device.');
  await expect(submitButton(page)).toBeDisabled();
  await expect(inputOf(page, file.name)).toBeDisabled();
  await waitForDraft(page, forms.delegate);
  await page.reload();
  await expect(inputOf(page, 'name')).toHaveValue('Meera');

  await page.unroute('**/assets/form-tools*.js*');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await ready(page);
  await expect(tile(page, file.name)).toContainText('Kept on this device.');
  await expect(inputOf(page, 'name')).toHaveValue('Meera');
});
