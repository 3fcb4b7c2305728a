// What the specification says of the forms, with every expected name and text written out.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { errorToasts, fill, inputOf, pictureOfSize, ready, submitButton } from '../support/forms.ts';
import { type FormsServer, startFormsServer } from '../support/forms-server.ts';
import { temporaryFolder } from '../support/program.ts';
import { filmFiles, filmTexts } from '../support/specified-fields.ts';
import { expect, type Page, test } from '../support/test.ts';

let server: FormsServer;
let folder: string;
let large: string;
test.beforeAll(async () => {
  server = await startFormsServer();
  folder = await temporaryFolder();
  large = join(folder, 'large.jpg');
  await writeFile(large, await pictureOfSize(5_242_881));
});
test.afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The toast of each missing field, in the order in which they appear. */
const filmToasts = {
  title_original: 'Please fill in title original',
  title_english: 'Please fill in title english',
  film_language: 'Please fill in film language',
  subtitles: 'Please fill in subtitles',
  film_type: 'Please fill in film type',
  is_first_or_second_feature: 'Please fill in is first or second feature',
  duration_minutes: 'Please fill in duration minutes',
  year_of_production: 'Please fill in year of production',
  country_of_origin: 'Please fill in country of origin',
  technical_features: 'Please fill in technical features',
  origination_format: 'Please fill in origination format',
  producer_name: 'Please fill in producer name',
  producer_email: 'Please fill in producer email',
  producer_mobile: 'Please fill in producer mobile',
  director_name: 'Please fill in director name',
  director_email: 'Please fill in director email',
  director_mobile: 'Please fill in director mobile',
  biography: 'Please fill in biography',
  screener_link: 'Please fill in screener link',
  synopsis_long: 'Please fill in synopsis long',
  synopsis_short: 'Please fill in synopsis short',
  stills_link: 'Please fill in stills link',
  cast_and_crew: 'Please fill in cast and crew',
  name_of_submitter: 'Please fill in name of submitter',
  correspondence_contact: 'Please fill in correspondence contact',
  correspondence_email: 'Please fill in correspondence email',
  film_poster: 'Please fill in film poster',
  director_photo: 'Please fill in director photo',
  producer_consent: 'Please fill in producer consent',
  documentation: 'Please fill in documentation',
  signature: 'Please fill in signature',
  screenshot: 'Please fill in screenshot',
};
const delegateToasts = {
  name: 'Please fill in name',
  email: 'Please fill in email',
  mobile: 'Please fill in mobile',
  address: 'Please fill in address',
  age: 'Please fill in age',
  occupation: 'Please fill in occupation',
  category: 'Please fill in category',
  transaction_details: 'Please fill in transaction details',
  screenshot: 'Please fill in screenshot',
  signature: 'Please fill in signature',
};

const specified = [
  { key: 'delegate', path: '/form', call: '/delegate-form/', toasts: delegateToasts, images: ['screenshot', 'signature', 'image'], documents: [] },
  ...(['asian', 'indian', 'malayalam'] as const).map((key) => ({
    key,
    path: `/form-${key}`,
    call: '/changed/',
    toasts: filmToasts,
    images: ['film_poster', 'director_photo', 'signature', 'screenshot'],
    documents: ['producer_consent', 'documentation'],
  })),
] as const;

/** Fills in a field with any value that it takes. */
async function fillIn(page: Page, key: keyof typeof forms, name: string) {
  const field = forms[key].fields.find((field) => field.name === name);
  if (!field) throw new Error(`${key} has no ${name}`);
  await fill(page, field);
}

/** The picture or document that a field holds, as its tile shows. */
const tile = (page: Page, name: string) => page.locator('[data-chosen="true"]', { has: inputOf(page, name) });

for (const [path, title] of [
  ['/form-asian', 'Film submission: Asian Cinema'],
  ['/form-indian', 'Film submission: Indian Cinema'],
  ['/form-malayalam', 'Film submission: Malayalam Cinema'],
] as const) {
  test(`${path} asks for the 28 texts and the six files of a film, and marks what is required`, async ({ page }) => {
    await page.goto(server.url + path);
    await ready(page);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    for (const name of [...filmTexts, ...filmFiles]) {
      // A choice of two is a group of buttons with a name of its own.
      const input = page.getByRole('main').locator(`[role="radiogroup"]:has(#field-${name}), #field-${name}:not([type="radio"])`);
      await expect(input, name).toHaveAccessibleName(/\S/);
      if (name === 'screener_link_password' || name === 'presentation_format') continue;
      await expect(input, name).toHaveAttribute('aria-required', 'true');
    }
    const asked = await page.locator('form [name]').evaluateAll((all) => [...new Set(all.map((input) => (input as HTMLInputElement).name))]);
    expect(asked).toEqual(expect.arrayContaining([...filmTexts, ...filmFiles]));
  });
}

test('/form asks for the eight texts and the files of a delegate, and marks what is required', async ({ page }) => {
  await page.goto(`${server.url}/form`);
  await ready(page);
  for (const [name, label] of [
    ['name', 'Name'],
    ['email', 'E-mail'],
    ['mobile', 'Mobile number'],
    ['address', 'Address'],
    ['age', 'Age'],
    ['occupation', 'Occupation'],
    ['category', 'Category of membership'],
    ['transaction_details', 'Transaction details'],
    ['screenshot', 'Screenshot of the payment'],
    ['signature', 'Signature'],
  ] as const) {
    const input = page.getByRole('main').locator(`[role="radiogroup"]:has(#field-${name}), #field-${name}:not([type="radio"])`);
    await expect(input).toHaveAccessibleName(label);
    await expect(input).toHaveAttribute('aria-required', 'true');
  }
  await expect(inputOf(page, 'image')).toHaveAccessibleName('Your photo (optional)');
  await expect(inputOf(page, 'image')).not.toHaveAttribute('aria-required', 'true');
});

for (const { key, path, call, toasts, images, documents } of specified) {
  test(`${path}: the first missing field is named by its toast, in the order of the specification, and nothing is sent`, async ({ page, watch }) => {
    await page.goto(server.url + path);
    await ready(page);
    for (const [name, toast] of Object.entries(toasts)) {
      await submitButton(page).click();
      await expect(errorToasts(page).last()).toHaveText(toast);
      await expect(inputOf(page, name)).toBeFocused();
      await expect(page.locator(`#field-${name}-problem`)).toHaveText(toast);
      const described = await inputOf(page, name).evaluate((input) => (input.closest('[role="radiogroup"]') ?? input).getAttribute('aria-describedby') ?? '');
      expect(described.split(' '), name).toContain(`field-${name}-problem`);
      await fillIn(page, key, name);
      await expect(page.locator(`#field-${name}-problem`)).toHaveCount(0);
    }
    expect(watch.requests.filter(({ url, method }) => method === 'POST' && url.endsWith(call))).toEqual([]);
  });

  test(`${path}: a file over 5 MB is refused with its toast and not taken`, async ({ page }) => {
    await page.goto(server.url + path);
    await ready(page);
    for (const name of [...images, ...documents]) {
      await inputOf(page, name).setInputFiles(large);
      await expect(errorToasts(page).last()).toHaveText(`${name} file must be less than 5MB`);
      await expect(inputOf(page, name)).toHaveValue('');
      await expect(tile(page, name)).toHaveCount(0);
    }
  });

  test(`${path}: pictures are asked for where the specification says images only, and nothing else is taken`, async ({ page }) => {
    await page.goto(server.url + path);
    await ready(page);
    const pdf = { name: 'proof.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') };
    const disguised = { name: 'proof.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<!doctype html><html>no picture</html>') };
    const text = { name: 'proof.txt', mimeType: 'text/plain', buffer: Buffer.from('paid') };
    for (const [file, name, message] of [
      ...images.flatMap((name) => [
        [pdf, name, 'This is a PDF. Please save it as JPEG, PNG'],
        [disguised, name, 'This is a web page. Please save it as JPEG, PNG'],
        [text, name, 'This is no file that we can read. Please choose a JPEG, PNG'],
      ] as const),
      ...documents.flatMap((name) => [[disguised, name, 'This is a web page. Please save it as JPEG, PNG'] as const]),
    ]) {
      const input = inputOf(page, name);
      await input.setInputFiles(file);
      await expect(page.locator(`#field-${name}-problem`), `${file.name} for ${name}`).toContainText(message);
      await expect(input).toHaveValue('');
      await expect(tile(page, name)).toHaveCount(0);
    }
    for (const name of images) {
      await fillIn(page, key, name);
      await expect(tile(page, name)).toHaveCount(1);
    }
  });
}

test('the toast of a missing field is at the top right, is spoken, and goes after three seconds', async ({ page }) => {
  await page.clock.install();
  await page.goto(`${server.url}/form-asian`);
  await ready(page);
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await submitButton(page).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Please fill in title original' });
  await expect(errorToasts(page)).toHaveText('Please fill in title original');
  await expect(toast).toBeVisible();
  const box = await errorToasts(page).boundingBox();
  expect(box?.y).toBeLessThan(200);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1440 - 60);
  await page.clock.runFor(2900);
  await expect(errorToasts(page)).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(errorToasts(page)).toHaveCount(0);
});
