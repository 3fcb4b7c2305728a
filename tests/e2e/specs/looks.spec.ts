import type { Locator } from '@playwright/test';
import { rowsOf } from '../support/layout.ts';
import { expect, follow, open, test } from '../support/test.ts';

test('at 2560 header, hero and blocks have the same left and right edges', async ({ page, site }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, site.url);
  const edges = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    return { left: Math.round(box?.x ?? 0), right: Math.round((box?.x ?? 0) + (box?.width ?? 0)) };
  };
  const block = await edges('#selections > div');
  expect(block).toEqual({ left: 480, right: 2080 });
  expect((await edges('header > a')).left).toBe(block.left);
  expect((await edges('header > ul')).right).toBe(block.right);
  expect((await edges('#hero-title')).left).toBe(block.left);
  expect((await edges('footer > div')).left).toBe(block.left);
});

test('at 2560 the bars of sections and days span the window', async ({ page, site }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  for (const [path, name] of [['/films', 'Sections'], ['/programme', 'Days']] as const) {
    await open(page, site.url + path);
    expect(await page.getByRole('navigation', { name, exact: true }).boundingBox(), path).toMatchObject({ x: 0, width: 2560 });
  }
});

test('the hero’s name ends above the link in its beam', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, site.url);
  for (const [width, height] of [[1366, 650], [1440, 900], [1920, 950], [2560, 900]] as const) {
    await page.setViewportSize({ width, height });
    const name = await page.locator('main span:has(> svg)').first().boundingBox();
    const link = await page.getByRole('main').getByRole('link', { name: 'See the programme' }).boundingBox();
    expect((link?.y ?? 0) - (name?.y ?? 0) - (name?.height ?? 0), `${width} x ${height}`).toBeGreaterThan(8);
  }
});

test('the hero’s film covers its picture in wide and in high windows', async ({ page, site }) => {
  for (const [width, height] of [
    [1920, 1080],
    [2560, 1440],
    [800, 1100],
    [360, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await open(page, site.url);
    const film = page.locator('main video');
    await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0);
    const covers = await film.evaluate((video: HTMLVideoElement) => {
      const frame = video.closest('section')?.querySelector('picture')?.getBoundingClientRect();
      const box = video.getBoundingClientRect();
      return { fit: getComputedStyle(video).objectFit, same: frame?.width === box.width && frame?.height === box.height };
    });
    expect(covers, `${width}`).toEqual({ fit: 'cover', same: true });
  }
});

test('Malayalam under a heading has the weight of the posters', async ({ page, site, watch }) => {
  watch.expect(/^status 404/, /^console error: Failed to load.*404/);
  for (const path of ['/', '/team', '/no-such-page']) {
    await page.goto(site.url + path);
    const weights = await page.locator('main :is(h1, h2) + p[lang="ml"]').evaluateAll((lines) =>
      lines.map((line) => `${getComputedStyle(line).fontWeight} ${getComputedStyle(line).fontStretch}`),
    );
    expect(new Set(weights), path).toEqual(new Set(['800 75%']));
  }
});

for (const width of [1440, 768, 360]) {
  test(`the team at ${width} is one grid: all faces have one size and stand in the same columns`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `${site.url}/team`);
    const faces = await page.getByRole('main').locator('li img').evaluateAll((faces) => faces.map((face) => face.getBoundingClientRect()).map(({ x, width, height }) => ({ x: Math.round(x), size: `${Math.round(width)} ${Math.round(height)}` })));
    expect(faces.length).toBeGreaterThan(10);
    expect(new Set(faces.map(({ size }) => size)).size).toBe(1);
    const columns = new Set(faces.map(({ x }) => x)).size;
    expect(columns).toBe({ 1440: 6, 768: 4, 360: 2 }[width]);
    // In wide windows the title of a group has the place of a portrait.
    if (width > 640) {
      const sheets = await page.getByRole('main').locator('h2').evaluateAll((sheets) => sheets.map((sheet) => `${Math.round(sheet.getBoundingClientRect().width)} ${Math.round(sheet.getBoundingClientRect().height)}`));
      expect(new Set(sheets)).toEqual(new Set(faces.map(({ size }) => size)));
      // It is beside the group's first face, not at the end of the line above it.
      const alone = await page.getByRole('main').locator('section:has(h2)').evaluateAll((groups) =>
        groups.flatMap((group) => {
          const [title, face] = [group.querySelector('h2'), group.querySelector('img')].map((one) => one?.getBoundingClientRect().top);
          return title === face ? [] : [group.querySelector('h2')?.textContent];
        }),
      );
      expect(alone).toEqual([]);
    }
  });
}

for (const width of [320, 360, 768]) {
  test(`an open film at ${width} with text at 200 per cent breaks no word and no button`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 800 });
    const [category] = await site.get<{ id: number }[]>('/categories/');
    const [film] = await site.get<{ id: number }[]>(`/categories/${category?.id}/films/`);
    await page.goto(`${site.url}/films/${category?.id}?film=${film?.id}`);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    await page.evaluate(() => document.fonts.ready);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeVisible();
    const torn = await dialog.evaluate((dialog) => {
      const torn: string[] = [];
      const walker = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement?.checkVisibility()) continue;
        for (const word of (node.textContent ?? '').matchAll(/\p{Letter}+/gu)) {
          const range = document.createRange();
          range.setStart(node, word.index);
          range.setEnd(node, word.index + word[0].length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) torn.push(word[0]);
        }
      }
      return torn;
    });
    expect(torn).toEqual([]);
    expect(await dialog.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
  });
}

test('the countdown is called a countdown to the festival; without scripts its end is shown', async ({ page, site, browser }) => {
  const { edition } = await site.get<{ edition: { countdown_at_text: string } }>('/site/');
  expect(edition.countdown_at_text).toMatch(/^\d{1,2} [A-Z][a-z]+ \d{4}, 10:00 PM$/);
  await open(page, site.url);
  const block = page.getByRole('region', { name: 'Countdown to the festival', exact: true });
  await expect(block.getByText('Countdown to the festival', { exact: true })).toBeVisible();
  await expect(block.getByRole('timer')).toBeVisible();
  await expect(block.getByText(edition.countdown_at_text)).toBeHidden();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(site.url, { waitUntil: 'domcontentloaded' });
  await expect(plain.getByText('Countdown to the festival', { exact: true })).toBeVisible();
  await expect(plain.getByText(edition.countdown_at_text)).toBeVisible();
  await expect(plain.getByText('--').first()).toBeHidden();
  await context.close();
});

test('the picture of a text page spans the window and begins behind the slant of its header', async ({ page, site }) => {
  for (const width of [360, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `${site.url}/about-us`);
    const [head, picture] = await page.locator('main header, main header + div > img').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    expect([picture.left, picture.right].map(Math.round), `${width}`).toEqual([0, width]);
    expect(picture.top).toBeLessThan(head.bottom - 30);
  }
});

test('the hero’s buttons leave the film free where the header has them', async ({ page, site }) => {
  await open(page, site.url);
  const actions = page.getByRole('link', { name: 'Submit a film' }).and(page.locator('main a'));
  const inHeader = page.locator('header').getByRole('link', { name: 'Submit a film' });
  for (const width of [1440, 1000, 769]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(inHeader, `${width}`).toBeVisible();
    await expect(actions, `${width}`).toBeHidden();
  }
  await page.setViewportSize({ width: 768, height: 900 });
  await expect(inHeader).toBeHidden();
  await expect(actions.first()).toBeVisible();
});

test('the hero shows what is next, and nothing if nothing is near', async ({ page, site }) => {
  await open(page, site.url);
  expect(await site.get('/next/')).toEqual([]);
  const next = page.getByRole('region', { name: 'Next event', exact: true });
  await expect(next).toHaveCount(0);
  const item = { title: 'Opening night', place: 'Boat Jetty', starts_at: '2027-01-29T18:30:00+05:30', when_text: 'Tomorrow, 6:30 PM', href: '/#upcoming-events' };
  await page.route('**/api/next/', (route) => route.fulfill({ json: [item, { ...item, title: 'Second' }] }));
  await open(page, `${site.url}/success`);
  await follow(page, '/');
  await expect(next).toContainText('Opening night');
  await expect(next).toContainText('Tomorrow, 6:30 PM');
  await expect(next).toContainText('Boat Jetty');
  await expect(next).not.toContainText('Second');
  await expect(next.getByRole('link')).toHaveAttribute('href', '/#upcoming-events');
});

/** The words that are broken over several lines; each element contains one text node. */
const tornWords = (texts: Locator) =>
  texts.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const text = element.firstChild as Text;
      return [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1 ? [word] : [];
      });
    }),
  );

test('names of the team wrap between words', async ({ page, site }) => {
  for (const width of [360, 480, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `${site.url}/team`);
    expect(await tornWords(page.locator('main li > strong')), `at ${width}`).toEqual([]);
  }
});

/** The vertical position of an element's first line of text, from the top of the page. */
const firstLine = (text: Locator) =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const line = range.getClientRects()[0];
    return line ? Math.round((line.top + line.bottom) / 2 + scrollY) : 0;
  });

test('the footer’s columns start on one line', async ({ page, site }) => {
  await open(page, site.url);
  const footer = page.getByRole('contentinfo');
  const link = await firstLine(footer.locator('nav li a').first());
  expect(Math.abs((await firstLine(footer.locator('address p'))) - link)).toBeLessThanOrEqual(1);
});

test('contact: the address starts at the top of the form; without an address the form is at the edge', async ({ page, site, siteOf }) => {
  await open(page, `${site.url}/contact-us`);
  const main = page.getByRole('main');
  const label = main.locator('form label').first();
  const [address, first] = await Promise.all([main.locator('address p').first().boundingBox(), label.boundingBox()]);
  expect(Math.abs((address?.y ?? 0) - (first?.y ?? 0))).toBeLessThanOrEqual(4);
  await open(page, `${(await siteOf('bare')).url}/contact-us`);
  const [title, begin] = await Promise.all([main.getByRole('heading', { level: 1 }).boundingBox(), label.boundingBox()]);
  expect(begin?.x).toBe(title?.x);
});

test('submit-entry: the three links are in one row or one column, without broken words', async ({ page, site }) => {
  for (const [width, row] of [
    [360, 1],
    [768, 1],
    [1024, 3],
    [1440, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `${site.url}/submit-entry`);
    await page.evaluate(() => document.fonts.ready);
    const ways = page.getByRole('main').locator('li:has(h2)');
    expect((await rowsOf(ways)).counts, `at ${width}`).toEqual(row === 3 ? [3] : [1, 1, 1]);
    expect(await tornWords(ways.locator('h2')), `at ${width}`).toEqual([]);
  }
});

test('the captions of adjacent portraits do not touch', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 768, height: 1024 });
  await open(page, site.url);
  const captions = await page.locator('section:has(#guests-title) li').evaluateAll((guests) =>
    guests.map((guest) => {
      const range = document.createRange();
      range.selectNodeContents(guest);
      const texts = [...range.getClientRects()].filter(({ height }) => height < 60);
      return { left: Math.min(...texts.map(({ left }) => left)), right: Math.max(...texts.map(({ right }) => right)) };
    }),
  );
  expect(captions.length).toBeGreaterThan(1);
  for (const [at, { right }] of captions.entries()) {
    const next = captions[at + 1];
    if (next) expect(next.left - right).toBeGreaterThanOrEqual(16);
  }
});

for (const width of [768, 1440]) {
  test(`a film form at ${width}: fields side by side have their inputs on one line`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `${site.url}/form-asian`);
    await page.locator('main form button[type="submit"]').click();
    await expect(page.locator('main form [data-problem="true"]').first()).toBeVisible();
    const rows = await page.locator('main form [data-kind]').evaluateAll((fields) => {
      const rows = new Map<number, number[]>();
      for (const field of fields) {
        // The input after the label and an optional hint.
        const input = [...field.children].find((child) => !child.matches('label, p'));
        const top = Math.round(field.getBoundingClientRect().top);
        rows.set(top, [...(rows.get(top) ?? []), Math.round(input?.getBoundingClientRect().top ?? 0)]);
      }
      return [...rows.values()].filter(({ length }) => length === 2);
    });
    expect(rows.length).toBeGreaterThan(0);
    for (const [left, right] of rows) expect(left).toBe(right);
  });
}

test('the facts above a form align with its columns', async ({ page, site }) => {
  await open(page, `${site.url}/form-asian`);
  const main = page.getByRole('main');
  const [fee, form] = await Promise.all([main.locator('dl dt').nth(1).boundingBox(), main.locator('form').boundingBox()]);
  expect(fee?.x).toBe(form?.x);
});
