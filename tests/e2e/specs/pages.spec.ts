import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { root, start } from '../support/program.ts';
import { expect, leave, open, test } from '../support/test.ts';

/** The logo of the demonstration. */
const logo = () => readFile(join(root, 'config/editions/pictures/logo.png'));

test('history lists the years from 2004 to 2024 with dates, venue, director and chair', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  await open(page, `${site.url}/history`);
  const entries = page.getByRole('main').getByRole('listitem');
  await expect(entries.locator('h2')).toHaveText(Array.from({ length: 21 }, (_, index) => String(2004 + index)));
  const facts = await entries.evaluateAll((all) =>
    all.map((entry) => [...entry.querySelectorAll('dt')].map((name) => `${name.innerText}: ${(name.nextElementSibling as HTMLElement).innerText}`)),
  );
  expect(facts[0]).toEqual(['Dates: 10 to 16 December', 'Venue: Municipal Reading Room, Kochi', 'Festival director: Sukumaran Veliyathu', 'Chair: Ammini Karuvelil']);
  expect(facts[20]).toEqual([
    'Dates: 25 October to 1 November',
    'Venue: Kadavu Theatre and Lantern Hall, Kochi; Backwater Talkies, Alappuzha',
    'Festival director: Balagopal Eroor and Ayisha Kayalpuram',
    'Chair: Gracy Mundempilly',
  ]);
  for (const [index, year] of facts.entries())
    expect(year, `${2004 + index}`).toEqual([/^Dates: (\d|Not held$)/, /^Venue: \w/, /^Festival director: \w/, /^Chair: \w/].map((fact) => expect.stringMatching(fact)));
});

test('the team is listed in its groups, in their order', async ({ page, site }) => {
  await open(page, `${site.url}/team`);
  const groups = await page.getByRole('main').locator('section').evaluateAll((all) =>
    all.map((group) => [group.querySelector('h2')?.innerText, ...[...group.querySelectorAll<HTMLElement>('li strong')].map(({ innerText }) => innerText)]),
  );
  expect(groups).toEqual([
    ['Chief Patrons', 'Ammini Karuvelil', 'Yohannan Mattapally'],
    ['Chairman', 'Gracy Mundempilly'],
    ['Festival Directors', 'Balagopal Eroor', 'Ayisha Kayalpuram'],
    ['Artistic Director', 'Shahina Kallarakkal'],
    ['Executive Director', 'Paulson Thevara'],
    ['Treasurer', 'Leela Panangadan'],
    [
      'Members',
      'Unnimaya Kadungalloor',
      'Arundhathi Vellarkunnu',
      'Basheer Kadalkkara',
      'Chithra Olavipparambil',
      'Denny Pazhayakadavu',
      'Gayathri Manjaliyoor',
      'Hamza Puthiyavalappu',
      'Indulekha Chempakathara',
      'Kurian Aattuvaram',
      'Latheesh Muringaparambu',
      'Prasad Kuttanelloor',
      'Zeenath Vallikkattil',
    ],
  ]);
});

test('the patron’s page: tribute, a life for each of four anchors, also after a reload, and the logo at a click', async ({ page, site }) => {
  const address = `${site.url}/twenty-velicham`;
  await open(page, address);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Twenty years of light');
  await expect(main.getByText('Velicham dedicates its twentieth edition to Rosamma Vattakkayal, actor and patron of the festival, who lit its first lamp.', { exact: true })).toBeVisible();
  await expect(main.getByText('She was our patron from that first evening until her death in 2015, at seventy-five.')).toBeVisible();
  const lives = [
    ['kunjananthan-valiyakulam', 'Kunjananthan Valiyakulam', 'For forty-four years Kunjananthan Valiyakulam stood behind the audience.'],
    ['sarada-pulikkottu', 'Sarada Pulikkottu', 'She learned to cut film because her brother’s hands shook.'],
    ['itty-kochukudi', 'Itty Kochukudi', 'Itty Kochukudi owned a ration shop, a rowing boat and, from 1951, a third of a 16 millimetre projector.'],
    ['nafeesa-thalavadi', 'Nafeesa Thalavadi', 'Nafeesa Thalavadi could tell the month from a recording of rain.'],
  ] as const;
  expect(await main.locator('section[id]').evaluateAll((all) => all.map(({ id }) => id))).toEqual(lives.map(([slug]) => slug));
  for (const [slug, name, begin] of lives) {
    await open(page, `${address}#${slug}`);
    const life = page.locator(`#${slug}`);
    await expect(life).toBeInViewport();
    await expect(life.getByRole('heading', { level: 2 })).toHaveText(name);
    await expect(life.locator('p').filter({ hasText: begin })).toBeVisible();
    const portrait = life.locator('img');
    await expect.poll(() => portrait.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  await page.reload();
  await expect(page.locator('#nafeesa-thalavadi')).toBeInViewport();
  const download = page.waitForEvent('download');
  await page.getByRole('main').getByRole('link', { name: 'Download the logo' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('velicham-logo.png');
  expect((await readFile(await saved.path())).equals(await logo()), 'the logo itself').toBe(true);
  await expect(page, 'at one click').toHaveURL(`${address}#nafeesa-thalavadi`);
});

test('the documentary festival shows eight award categories with their winners, and a film', async ({ page, siteOf }) => {
  const site = await siteOf('exact');
  await open(page, `${site.url}/ndsf-2025`);
  const main = page.getByRole('main');
  const winners = await main.locator('section:has(article)').evaluateAll((all) =>
    all.map((award) => [award.querySelector('h2'), ...award.querySelectorAll<HTMLElement>('article h3, article h3 + p')].map((part) => part?.innerText)),
  );
  expect(winners).toEqual([
    ['Best Short Film', 'Half a Coconut', 'Anju Parakkadavil'],
    ['Best Documentary', 'The Weighbridge', 'Nikhil Sarbahua'],
    ['Best Director', 'Night Bus to Idukki', 'Fathima Rasheed Koyippally'],
    ['Best Cinematographer', 'Salt Pan, Noon', 'Devaraj Muthukovil'],
    ['Best Editor', 'The Weighbridge', 'Lalitha Senapura'],
    ['Best Sound Design', 'What Bats Hear', 'Joel Marottichal'],
    ['Best Screenwriter', 'Application for Leave', 'Sandhya Oorakam Menokkil'],
    ['Jury Mention', 'My Aunt\'s Radio', 'Rithu Chandravila'],
  ]);
  await expect(main).toContainText('23 August 2025 at 4:00 PM');
  await expect(main).toContainText('a total prize pool of 80,000 rupees');
  const video = main.locator('video');
  await expect(video).toHaveJSProperty('controls', true);
  await expect(video, 'nobody is surprised by it').toHaveJSProperty('autoplay', false);
  await expect.poll(() => video.evaluate((film: HTMLVideoElement) => film.readyState)).toBeGreaterThan(0);
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
  expect((await paragraphs('Privacy')).join(' ')).toContain('The Kochi Film Circle, which organises Velicham, decides why and how your personal data is used.');
  expect((await paragraphs('Terms')).join(' ')).toContain('A pass is personal and admits you to all screenings while seats last; it does not reserve one.');
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

test('the blogs of the demonstration: the newest first, each with picture, date and the beginning of its text', async ({ page, siteOf }) => {
  const { url } = await siteOf('exact');
  await open(page, `${url}/blogs`);
  const cards = page.getByRole('main').locator('article');
  await expect(cards.getByRole('heading', { level: 2 })).toHaveText([
    'Why we still print a programme',
    'How a jury argues',
    'The sound of a full house',
    'Twenty years in twenty tickets',
    'A screen between two palms',
    'Learning to subtitle',
  ]);
  await expect(cards.locator('time')).toHaveText(['22 August 2025', '20 August 2025', '17 August 2025', '3 August 2025', '26 July 2025', '8 July 2025']);
  await expect(cards.locator('p')).toHaveText([/^Every year, two months before the festival/, /^I was secretary to six juries/, /^Last week we hung four microphones/, /^Leela Panangadan, our treasurer/, /^You need two palms/, /^Thirty-eight letters to a line/]);
  for (const card of await cards.all()) {
    await card.scrollIntoViewIfNeeded();
    await expect.poll(() => card.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  await cards.nth(1).getByRole('link', { name: /^Read More/ }).click();
  const article = page.getByRole('main').locator('article');
  await expect(article.getByRole('heading', { level: 1 })).toHaveText('How a jury argues');
  await expect(article.locator('time')).toHaveText('20 August 2025');
  await expect(article.locator('p').first()).toHaveText(/^I was secretary to six juries of this festival\..*It is the best seat in the house\.$/);
});

test('blogs: title, description, keywords and social tags describe the page', async ({ page, site }) => {
  await open(page, `${site.url}/blogs`);
  const meta = (name: string) => page.locator(`meta[name="${name}"], meta[property="${name}"]`);
  const title = 'Velicham Blog';
  const description = 'News, portraits and stories from the Velicham International Film Festival.';
  await expect(page).toHaveTitle(title);
  for (const name of ['description', 'og:description', 'twitter:description']) await expect(meta(name)).toHaveAttribute('content', description);
  for (const name of ['og:title', 'twitter:title']) await expect(meta(name)).toHaveAttribute('content', title);
  await expect(meta('keywords')).toHaveAttribute('content', 'Velicham, Velicham International Film Festival, film festival, Kochi, blog');
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
  const shown = main.getByRole('img', { name: 'Logo of the Velicham International Film Festival', exact: true });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const bytes = await logo();
  const seen = await (await page.request.get((await shown.getAttribute('src')) ?? '')).body();
  expect(seen.equals(bytes), 'the logo is shown').toBe(true);
  const download = page.waitForEvent('download');
  await main.getByRole('link', { name: 'Download', exact: true }).click();
  const saved = await download;
  expect((await readFile(await saved.path())).equals(bytes), 'the logo is saved').toBe(true);
  expect(saved.suggestedFilename()).toBe('velicham-logo.png');
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
  await open(page, `${site.url}/contact-us`);
  const main = page.getByRole('main');
  const office = main.locator('address');
  await expect(office.getByRole('link', { name: 'office@velicham.example', exact: true })).toHaveAttribute('href', 'mailto:office@velicham.example');
  await expect(office.getByRole('link', { name: '+91 484 000 0000', exact: true })).toHaveAttribute('href', 'tel:+914840000000');
  await expect(office.locator('p').first()).toHaveText('Velicham Festival Office, Boat Jetty Road, Kochi 682011, Kerala, India');
  const asked = await main.locator('form :is(input, textarea):not([tabindex="-1"])').evaluateAll((all) => all.map((input) => (input as HTMLInputElement).name));
  expect(asked).toEqual(['name', 'email', 'contact', 'message']);
  for (const name of ['Name', 'E-mail', 'Contact number', 'Message']) await expect(main.getByRole('textbox', { name, exact: true })).toBeVisible();
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
