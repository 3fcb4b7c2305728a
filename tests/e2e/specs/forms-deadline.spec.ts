import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import { fillAll, inputOf, ready, sendToSuccess, submitButton } from '../support/forms.ts';
import { startFormsServer } from '../support/forms-server.ts';
import { expect, holdRequests, leave, test } from '../support/test.ts';

const form = forms.delegate;
const formPath = `/api${form.api_path}`;

test.beforeEach(({ page }) => {
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => void dialog.accept());
});

/** The time some seconds from now, as a setting. */
function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

test('the deadline is shown with time zone and time left, by the server’s clock', async ({ page }) => {
  const site = await startFormsServer({
    FESTIVAL_MODULES__FORMS__CLOSES_AT__DELEGATE: inSeconds(3 * 86_400 + 4 * 3_600 + 1_800),
  });
  for (const years of [-1, 1]) {
    await page.clock.install({ time: Date.now() + years * 365 * 86_400_000 });
    await page.goto(site.url + form.path);
    await ready(page);
    await expect(page.getByText('This form is closed. Submissions are no longer accepted.')).toHaveCount(0);
    await inputOf(page, 'name').click();
    await expect(page.getByText(/^Open until \d+ \w+ \d{4}, \d+:\d\d [AP]M \(Asia\/Kolkata, UTC\+05:30\)\./)).toBeVisible();
    await expect(page.getByText('3 days 4 hours left.', { exact: true })).toBeVisible();
    await expect(page.getByText('This form is closed. Submissions are no longer accepted.')).toHaveCount(0);
  }
  // The page may still be loading something.
  await leave(page, site);
});

test('a form in its grace period is accepted and marked as late', async ({ page }) => {
  const site = await startFormsServer({
    FESTIVAL_MODULES__FORMS__CLOSES_AT__DELEGATE: inSeconds(-60),
    FESTIVAL_MODULES__FORMS__GRACE_MINUTES: '60',
  });
  await page.goto(site.url + form.path);
  await ready(page);
  await inputOf(page, 'name').focus();
  await expect(page.getByText('The form is still taken, and is marked as late.')).toBeVisible();
  await expect(page.getByText('This form is closed. Submissions are no longer accepted.')).toHaveCount(0);
  await fillAll(page, form);
  await sendToSuccess(page);
  await expect(page.getByText('It arrived after the deadline and is marked as late.')).toBeVisible();
  // The page may still be loading something.
  await leave(page, site);
});

test('a passed deadline is shown at the focused field', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const site = await startFormsServer({ FESTIVAL_MODULES__FORMS__CLOSES_AT__DELEGATE: inSeconds(-60) });
  await page.goto(site.url + form.path);
  await ready(page);
  await expect(page.getByText('This form is closed. Submissions are no longer accepted.')).toBeVisible();
  await inputOf(page, 'occupation').focus();
  await expect(page.getByText('Closed: it is no longer accepted.')).toBeInViewport();
  // The page may still be loading something.
  await leave(page, site);
});

test('an upload that started before the deadline is finished after it', async ({ page }) => {
  const site = await startFormsServer({ FESTIVAL_MODULES__FORMS__CLOSES_AT__DELEGATE: inSeconds(3600) });
  await page.clock.install();
  await page.goto(site.url + form.path);
  await ready(page);
  await fillAll(page, form);
  // The form is in flight until the browser's clock is past the deadline; tests of the server cover its response.
  const pass = await holdRequests(page, `**${formPath}`);
  await submitButton(page).click();
  await expect(submitButton(page)).toHaveText('Submitting...');
  await page.clock.fastForward('02:00:00');
  await expect(page.getByText('This form is closed. Submissions are no longer accepted.')).toBeVisible();
  await expect(submitButton(page)).toHaveText('Submitting...');
  pass();
  await page.clock.resume();
  await page.waitForURL('**/success');
  await expect(page.getByText('It arrived after the deadline')).toHaveCount(0);
  expect((await site.submissions('delegate')).length).toBe(1);
  // The page may still be loading something.
  await leave(page, site);
});
