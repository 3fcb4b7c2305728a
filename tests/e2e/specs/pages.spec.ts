import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { start } from '../support/program.ts';
import { addressOf } from '../support/routes.ts';
import { expect, leave, open, test } from '../support/test.ts';

test('history lists the years from 2004 to 2024 with dates, venue, director and chair', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  const years = await site.get<{ year: number; dates: string | null; venue: string | null; director: string | null; chair: string | null }[]>('/history/');
  const numbers = years.map(({ year }) => year).sort();
  expect(numbers).toEqual(Array.from({ length: 21 }, (_, index) => 2004 + index));
  await open(page, `${site.url}/history`);
  for (const { year, ...facts } of years) {
    expect([facts.dates, facts.venue, facts.director, facts.chair], `four facts of ${year}`).not.toContain(null);
    const entry = page.getByRole('main').getByRole('listitem').filter({ has: page.getByRole('heading', { name: String(year), exact: true }) });
    const expected = [
      ['Dates', facts.dates],
      ['Venue', facts.venue],
      ['Festival director', facts.director],
      ['Chair', facts.chair],
    ];
    await expect(entry.locator('dt')).toHaveText(expected.map(([name]) => name ?? ''));
    await expect(entry.locator('dd')).toHaveText(expected.map(([, fact]) => fact ?? ''));
  }
});

test('the team is listed in its groups, in their order', async ({ page, site }) => {
  const groups = await site.get<{ group: string; members: { name: string }[] }[]>('/team/');
  expect(groups.map(({ group }) => group.replace(/s$/, '').toLowerCase())).toEqual([
    'chief patron',
    'chairman',
    'festival director',
    'artistic director',
    'executive director',
    'treasurer',
    'member',
  ]);
  await open(page, `${site.url}/team`);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 2 })).toHaveText(groups.map(({ group }) => group));
  for (const { group, members } of groups) {
    const names = main.locator('section').filter({ has: page.getByRole('heading', { name: group, exact: true }) }).locator('li strong');
    await expect(names).toHaveText(members.map(({ name }) => name));
  }
});

test('the patron’s page: tribute, a life for each of four anchors, also after a reload, and the logo at a click', async ({ page, site }) => {
  const address = await addressOf('/twenty-{slug}', site);
  const namesakes = await site.get<{ slug: string; name: string; biography: string }[]>('/namesakes/');
  expect(namesakes.length).toBe(4);
  expect(new Set(namesakes.map(({ slug }) => slug)).size, 'an anchor each').toBe(4);
  const tribute = await site.get<{ title: string; lead: string; body: string }>('/pages/twenty/');
  const paragraphs = (html: string) => [...html.matchAll(/<p>([^<]+)<\/p>/g)].map(([, text]) => text ?? '');
  await open(page, address);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(tribute.title);
  await expect(main).toContainText(tribute.lead);
  expect(paragraphs(tribute.body).length).toBeGreaterThan(0);
  for (const text of paragraphs(tribute.body)) await expect(main.getByText(text, { exact: true })).toBeVisible();
  for (const { slug, name, biography } of namesakes) {
    await open(page, `${address}#${slug}`);
    const life = page.locator(`#${slug}`);
    await expect(life.getByRole('heading', { name })).toBeVisible();
    await expect(life).toBeInViewport();
    expect(paragraphs(biography).length).toBeGreaterThan(0);
    for (const text of paragraphs(biography)) await expect(life.getByText(text, { exact: true })).toBeVisible();
  }
  await page.reload();
  await expect(page.locator(`#${namesakes.at(-1)?.slug}`)).toBeInViewport();
  const download = page.waitForEvent('download');
  await page.getByRole('main').getByRole('link', { name: 'Download the logo' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('velicham-logo.png');
  const { logo } = await site.get<{ logo: string }>('/site/');
  expect((await readFile(await saved.path())).equals(await (await page.request.get(logo)).body()), 'the logo itself').toBe(true);
  await expect(page, 'at one click').toHaveURL(`${address}#${namesakes.at(-1)?.slug}`);
});

test('the documentary festival shows eight award categories with their winners, and a film', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  const groups = await site.get<{ award: string; winners: { film: string; person: string }[] }[]>('/winners/');
  expect(groups.map(({ award }) => award)).toEqual([
    'Best Short Film',
    'Best Documentary',
    'Best Director',
    'Best Cinematographer',
    'Best Editor',
    'Best Sound Design',
    'Best Screenwriter',
    'Jury Mention',
  ]);
  await open(page, `${site.url}/ndsf-2025`);
  const main = page.getByRole('main');
  for (const { award, winners } of groups) {
    const section = main.locator('section').filter({ has: page.getByRole('heading', { name: award, exact: true }) });
    for (const { film, person } of winners) {
      await expect(section).toContainText(film);
      await expect(section).toContainText(person);
    }
  }
  await expect(main).toContainText('23 August 2025 at 4:00 PM');
  await expect(main).toContainText('80,000 rupees');
  const video = main.locator('video');
  await expect(video).toHaveJSProperty('controls', true);
  await expect(video, 'nobody is surprised by it').toHaveJSProperty('autoplay', false);
  await expect.poll(() => video.evaluate((film: HTMLVideoElement) => film.readyState)).toBeGreaterThan(0);
});

test('the science and the folklore festival show their facts', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  for (const [path, facts] of [
    ['/isff-2025', [/second science film festival/i, /8 to 10 August 2025/, /five film packages/i, /about fifty films/i, /200 rupees/, /lecture/i]],
    ['/ifff-9th', [/9th/, /10 to 15 January 2026/, /online and in the hall/i, /short films and documentaries|short and documentary films/i, /any language/i]],
  ] as const) {
    await open(page, site.url + path);
    for (const fact of facts) await expect(page.getByRole('main')).toContainText(fact);
  }
});

test('about: awards and sections with their facts', async ({ page, site }) => {
  await open(page, `${site.url}/about-us`);
  for (const fact of [/₹1,00,000 and a trophy/, /₹25,000/, /first or second film/, /debut films only/, /Masters and Classics/, /Indian Panorama/, /Shorts and Documentaries/, /African Cinema/i, /more than fifty films/])
    await expect(page.getByRole('main')).toContainText(fact);
});

test('privacy and terms: the policy and the terms, each with its text', async ({ page, site }) => {
  await open(page, `${site.url}/privacy-and-terms`);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 2 })).toHaveText(['Privacy', 'Terms']);
  // Paragraphs between this heading and the next one of its level.
  const paragraphs = (part: string) =>
    main.locator(`h2:text-is("${part}")`).evaluate((heading) => {
      const texts: string[] = [];
      for (let next = heading.nextElementSibling; next && next.tagName !== 'H2'; next = next.nextElementSibling)
        if (next.tagName === 'P') texts.push(next.textContent ?? '');
      return texts;
    });
  expect((await paragraphs('Privacy')).join(' ')).toMatch(/personal data/);
  expect((await paragraphs('Terms')).join(' ')).toMatch(/pass/i);
});

test('the list of blogs is named after the festival', async ({ page, site }) => {
  await open(page, `${site.url}/blogs`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Velicham Blog');
  await expect(page).toHaveTitle('Velicham Blog');
});

test('a PDF that fails to load is only logged', async ({ page, site, watch }) => {
  watch.expect(/^status 503/, /^console error: Failed to load resource/, /^console warning: .*503/);
  await page.route('**/*.pdf', (route) => route.fulfill({ status: 503 }));
  await open(page, `${site.url}/kottaka`);
  const before = await page.getByRole('main').innerText();
  const logged = page.waitForEvent('console', (message) => message.type() === 'warning' && /503/.test(message.text()));
  await page.getByRole('link', { name: /^Download PDF/ }).first().click();
  await logged;
  expect(await page.getByRole('main').innerText()).toBe(before);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('[role="alert"]:not(:empty)')).toHaveCount(0);
});

test('blogs: image or "No Image", title, date, three lines, Read More', async ({ page, siteOf }) => {
  const site = await siteOf('hard');
  const blogs = await site.get<{ id: number; title: string; image: string | null; created_at_text: string }[]>('/blogs/');
  expect(blogs.some(({ image }) => image) && blogs.some(({ image }) => !image), 'both kinds').toBe(true);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `${site.url}/blogs`);
    const cards = page.getByRole('main').locator('article');
    await expect(cards).toHaveCount(blogs.length);
    for (const [index, { id, title, image, created_at_text }] of blogs.entries()) {
      const card = cards.nth(index);
      await expect(card.getByRole('heading')).toHaveText(title);
      await expect(card).toContainText(created_at_text);
      await expect(card.locator('img')).toHaveCount(image ? 1 : 0);
      await expect(card.getByText('No Image', { exact: true })).toHaveCount(image ? 0 : 1);
      await expect(card.getByRole('link', { name: /^Read More/ })).toHaveAttribute('href', `/blog/${id}`);
    }
    const lines = await cards.locator('p').evaluateAll((all) =>
      all.map((text) => Math.round(text.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(text).lineHeight))),
    );
    expect(Math.max(...lines), 'at most three lines, and some have them').toBe(3);
  }
});

test('blogs: title, description, keywords and social tags describe the page', async ({ page, site }) => {
  const { product } = await site.get<{ product: { name: string; full_name: string } }>('/site/');
  await open(page, `${site.url}/blogs`);
  const meta = (name: string) => page.locator(`meta[name="${name}"], meta[property="${name}"]`);
  const title = `${product.name} Blog`;
  const description = new RegExp(`stor(y|ies).* ${product.full_name}`);
  await expect(page).toHaveTitle(title);
  for (const name of ['description', 'og:description', 'twitter:description']) await expect(meta(name)).toHaveAttribute('content', description);
  for (const name of ['og:title', 'twitter:title']) await expect(meta(name)).toHaveAttribute('content', title);
  const keywords = (await meta('keywords').getAttribute('content'))?.split(/,\s*/) ?? [];
  expect(keywords).toEqual(expect.arrayContaining([product.name, product.full_name, 'film festival', 'blog']));
  await expect(meta('og:type')).toHaveAttribute('content', 'website');
  await expect(meta('og:url')).toHaveAttribute('content', `${site.url}/blogs`);
  await expect(meta('twitter:card')).toHaveAttribute('content', 'summary_large_image');
  const pictures = await Promise.all(['og:image', 'twitter:image'].map((name) => meta(name).getAttribute('content')));
  expect(pictures[0]).toBe(pictures[1]);
  const picture = await page.request.get(pictures[0] ?? '');
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/jpeg']);
});

test('a blog: a link back, title, date, image if there is one, and its text as written', async ({ page, site, siteOf }) => {
  const hard = await siteOf('hard');
  for (const { url, get } of [site, hard]) {
    const blogs = await get<{ id: number; title: string; image: string | null; created_at_text: string; content: string }[]>('/blogs/');
    const kinds = [blogs.find(({ image }) => image), blogs.find(({ image }) => !image)].filter((blog) => blog !== undefined);
    for (const { id, title, image, created_at_text, content } of kinds) {
      await open(page, `${url}/blog/${id}`);
      const article = page.getByRole('main').locator('article');
      await expect(article.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(article).toContainText(created_at_text);
      await expect(article.getByRole('link', { name: /^Back/ })).toHaveAttribute('href', '/blogs');
      await expect(article.locator(`img[src*="${image ?? 'no picture'}"]`)).toHaveCount(image ? 1 : 0);
      const same = await article.evaluate((article, content) => {
        const shape = (root: Element) => [...root.querySelectorAll('*')].map(({ localName, textContent }) => `${localName} ${textContent}`).join('|');
        const written = document.createElement('div');
        written.innerHTML = content;
        return shape(article).includes(shape(written));
      }, content);
      expect(same, title).toBe(true);
    }
  }
});

test('the logo is saved by its button, and a link leads home', async ({ page, site }) => {
  await open(page, `${site.url}/download`);
  const main = page.getByRole('main');
  const { logo } = await site.get<{ logo: string }>('/site/');
  const shown = main.getByRole('img', { name: /^Logo of/ });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const bytes = await (await page.request.get(logo)).body();
  const seen = await (await page.request.get((await shown.getAttribute('src')) ?? '')).body();
  expect(seen.equals(bytes), 'the logo is shown').toBe(true);
  const download = page.waitForEvent('download');
  await main.getByRole('link', { name: 'Download', exact: true }).click();
  const saved = await download;
  expect((await readFile(await saved.path())).equals(bytes), 'the logo is saved').toBe(true);
  expect(saved.suggestedFilename()).toMatch(/\.(png|svg|webp)$/);
  await expect(page).toHaveURL(`${site.url}/download`);
  await main.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
});

test('submit-entry: the invitation, the exact deadline, three links', async ({ page, siteOf }) => {
  // These data have the dates of the specification.
  const { url } = await siteOf('exact');
  await open(page, `${url}/submit-entry`);
  const main = page.getByRole('main');
  const invitation = main.locator('p').filter({ hasText: /invite film-makers/i });
  for (const award of ['Asian', 'Indian', 'Malayalam']) await expect(invitation).toContainText(award);
  await expect(main.getByRole('heading', { level: 2, name: /(Asian|Indian|Malayalam) Cinema/ })).toHaveCount(3);
  await expect(main.getByText('Last Date for Submission: September 1, 2025', { exact: true })).toBeVisible();
  await expect(main, 'the limit of the forms').toContainText('each as a picture of less than 5 MB');
  const cards = main.getByRole('link', { name: /^Apply Now/ });
  await expect(cards).toHaveText(['Apply Now', 'Apply Now', 'Apply Now']);
  expect(await cards.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(['/form-asian', '/form-indian', '/form-malayalam']);
});

test('contact: the office’s details next to the form', async ({ page, site }) => {
  const { contact } = await site.get<{ contact: { email: string; phone: string; address: string } }>('/site/');
  await open(page, `${site.url}/contact-us`);
  const main = page.getByRole('main');
  const office = main.locator('address');
  await expect(office.getByRole('link', { name: contact.email })).toHaveAttribute('href', `mailto:${contact.email}`);
  await expect(office).toContainText(contact.phone);
  await expect(office).toContainText(contact.address);
  for (const label of ['Name', 'E-mail', 'Contact', 'Message']) await expect(main.getByLabel(label, { exact: false }).first()).toBeVisible();
});

test('history ends with the year before an edition whose dates are moved', async ({ page, site }) => {
  const { edition } = await site.get<{ edition: { year: number } }>('/site/');
  expect(edition.year).toBeGreaterThan(2025);
  await open(page, `${site.url}/history`);
  const years = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts();
  expect(years.map(Number).sort()).toEqual(Array.from({ length: 21 }, (_, index) => edition.year - 21 + index));
});

test('analytics: without an address the page says what would be there, and what to set', async ({ page, site }) => {
  await open(page, `${site.url}/analytics-ga4-view-via-looker`);
  const main = page.getByRole('main');
  await expect(main).toContainText('a dashboard of the visitor numbers');
  await expect(main).toContainText('analytics.frame and analytics.link');
  await expect(main).toContainText('No dashboard has been set up.');
  await expect(main.locator('iframe')).toHaveCount(0);
  await expect(main.getByRole('link', { name: /realtime/ })).toHaveCount(0);
});

test('analytics: the dashboard in a frame, and a link to the realtime one', async ({ page, watch }) => {
  const frame = 'https://dashboard.example/visitors';
  const link = 'https://dashboard.example/realtime';
  const site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'), {
    FESTIVAL_ANALYTICS__FRAME: frame,
    FESTIVAL_ANALYTICS__LINK: link,
    FESTIVAL_FRONTEND__FRAME_HOSTS: '["https://dashboard.example"]',
  });
  try {
    watch.expect(/^third party/);
    await page.route(frame, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Visitors</h1>' }));
    await open(page, `${site.url}/analytics-ga4-view-via-looker`);
    await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Visitors' })).toBeVisible();
    const realtime = page.getByRole('main').getByRole('link', { name: /realtime dashboard/ });
    await expect(realtime).toHaveAttribute('href', link);
    await expect(realtime).toHaveAttribute('target', '_blank');
  } finally {
    await leave(page, site);
  }
});
