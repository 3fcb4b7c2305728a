import { expect, open, test } from '../support/test.ts';

const failedLoad = /404|dynamically imported module|could not be loaded|Unable to preload/;

for (const { link, code } of [
  { link: 'Team', code: /\/team-page[^/]*\.js/ },
  { link: 'Contact', code: /\/contact-page[^/]*\.js/ },
]) {
  test(`after an upgrade, a link to ${link} loads the new document once`, async ({ page, site, watch }) => {
    watch.expect(failedLoad);
    await open(page, `${site.url}/about-us`);
    let documents = 0;
    page.on('request', (request) => {
      if (request.resourceType() === 'document') documents += 1;
    });
    // The new document names new code; what the old one names is gone.
    await page.route(code, (route) => (documents > 0 ? route.continue() : route.fulfill({ status: 404, body: 'gone' })));
    await page.getByRole('contentinfo').getByRole('link', { name: link, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(link);
    // Forms have an empty one, into which errors come.
    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0);
    expect(documents).toBe(1);
  });
}

test('a document whose own code is gone stays readable and is not loaded again', async ({ page, site, watch }) => {
  watch.expect(failedLoad);
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(new URL(request.url()).pathname);
  });
  await page.route(/\/team-page[^/]*\.js/, (route) => route.fulfill({ status: 404, body: 'gone' }));
  await open(page, `${site.url}/about-us`);
  const failed = page.waitForEvent('pageerror', ({ message }) => message.includes('could not be loaded'));
  await page.getByRole('contentinfo').getByRole('link', { name: 'Team', exact: true }).click();
  await failed;
  await expect(page).toHaveURL(`${site.url}/team`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Team');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/contact-us`);
  expect(documents).toEqual(['/about-us', '/team', '/contact-us']);
});
