import { faults } from '../support/axe.ts';
import { errorToasts, inputOf, ready, submitButton } from '../support/forms.ts';
import { expect, test } from '../support/test.ts';

test('labels, hints and errors of the Malayalam form are in Malayalam and English, its toasts as specified', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${site.url}/form-malayalam`);
  await ready(page);
  await expect(page.locator('#field-title_english-label')).toHaveText('ചിത്രത്തിന്റെ പേര് (ഇംഗ്ലീഷിൽ) Title of the film (English)');
  await expect(page.locator('#field-stills_link-hint')).toHaveText(
    'അച്ചടിക്കാൻ പറ്റിയ നിലവാരത്തിലുള്ള നിശ്ചലദൃശ്യങ്ങളുടെ ഫോൾഡർ. A folder with stills of the film in print quality.',
  );
  const sections = page.locator('main form').getByRole('heading', { level: 2 });
  expect((await sections.allInnerTexts()).map((text) => text.split(/\s*\n\s*/))).toEqual([
    ['1', 'Film Details', 'ചിത്രത്തിന്റെ വിവരങ്ങൾ'],
    ['2', 'Producer/Director Details', 'നിർമ്മാതാവും സംവിധായകനും'],
    ['3', 'Film Information', 'ചിത്രത്തെക്കുറിച്ച്'],
    ['4', 'Declaration', 'സത്യപ്രസ്താവന'],
    ['5', 'Payment Verification', 'പണമടച്ചതിന്റെ സ്ഥിരീകരണം'],
  ]);
  await expect(page.getByText('The rules of the award have been read and are accepted.')).toHaveText(
    'പുരസ്കാരത്തിന്റെ നിയമങ്ങൾ വായിച്ചു, അവ അംഗീകരിക്കുന്നു. The rules of the award have been read and are accepted.',
  );
  const labels = page.locator('main form [id$="-label"]');
  expect(await labels.count()).toBe(35);
  for (const label of await labels.all()) await expect(label.locator('[lang="ml"]'), (await label.textContent()) ?? '').toHaveCount(1);
  await submitButton(page).click();
  await expect(errorToasts(page).first()).toHaveText('Please fill in title original');
  const title = page.locator('#field-title_original');
  await expect(title).toHaveAccessibleDescription('ഇതു പൂരിപ്പിക്കുക. Please fill in title original');
  await inputOf(page, 'film_poster').setInputFiles({ name: 'poster.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') });
  await expect(page.locator('#field-film_poster-second-problem')).toHaveText('ഈ ഫയൽ ഇവിടെ ചേർക്കാനാവില്ല. മറ്റൊന്നു തിരഞ്ഞെടുക്കുക.');
  await inputOf(page, 'film_poster').setInputFiles({ name: 'poster.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(6_000_000) });
  await expect(page.locator('#field-film_poster-second-problem')).toHaveText('ഫയൽ 5 MB-യിൽ താഴെയായിരിക്കണം.');
  expect(await faults(page, 360, 768, 1440)).toEqual([]);
});

test('the other forms are in English only', async ({ page, site }) => {
  for (const path of ['/form-indian', '/form-asian', '/form']) {
    await page.goto(site.url + path);
    await expect(page.locator('main form [id$="-label"]').first()).toBeVisible();
    await expect(page.locator('main form [lang="ml"]')).toHaveCount(0);
  }
});
