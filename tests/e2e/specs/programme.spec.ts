import { axe, faults } from '../support/axe.ts';
import { items, type Released } from '../support/programme.ts';
import { watchShifts } from '../support/shifts.ts';
import { expect, holdRequests, open, type Page, test } from '../support/test.ts';

test('every day has an address, and lists its screenings', async ({ page, site }) => {
  const { days, screenings } = await site.get<Released>('/programme/');
  await open(page, `${site.url}/programme`);
  await expect(page.getByRole('navigation', { name: 'Days' }).getByRole('link', { name: /^\w{3} \d/ })).toHaveCount(days.length);
  for (const day of days) {
    await page.goto(`${site.url}/programme?day=${day}`);
    await expect(items(page)).toHaveCount(screenings.filter((screening) => screening.day === day).length);
  }
});

test('what was cancelled and what was moved is shown as such', async ({ page, site }) => {
  const { screenings } = await site.get<Released>('/programme/');
  const cancelled = screenings.find((screening) => screening.cancelled);
  const moved = screenings.find(({ change, cancelled }) => change?.kind === 'moved' && !cancelled);
  expect(cancelled && moved, 'the demonstration has both').toBeTruthy();
  await open(page, `${site.url}/programme?day=${cancelled?.day}`);
  await expect(page.locator(`#screening-${cancelled?.id}`)).toContainText('Cancelled');
  await open(page, `${site.url}/programme?day=${moved?.day}`);
  await expect(page.locator(`#screening-${moved?.id}`)).toContainText('Moved; it was');
});

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('the search finds a film by its name in another script', async ({ page, site }) => {
      for (const query of ['മഴപ്പാത', 'mazhapatha', 'rain raod']) {
        await page.goto(`${site.url}/programme?q=${encodeURIComponent(query)}`);
        await expect(items(page).first()).toContainText('The Rain Road');
      }
    });

    test('a filter in the address narrows the day', async ({ page, site }) => {
      const { days } = await site.get<Released>('/programme/');
      await page.goto(`${site.url}/programme?day=${days[1]}`);
      const all = await items(page).count();
      await page.goto(`${site.url}/programme?day=${days[1]}&time=evening`);
      const evening = await items(page).count();
      expect(evening).toBeGreaterThan(0);
      expect(evening).toBeLessThan(all);
      for (const text of await items(page).locator('time').first().allTextContents()) expect(text >= '17:00').toBe(true);
    });
  });
}

test('results come while one types, and the address keeps them', async ({ page, site }) => {
  await open(page, `${site.url}/programme`);
  await page.getByRole('searchbox').pressSequentially('uppukat');
  await expect(items(page).first()).toContainText('Salt Wind');
  await expect(page).toHaveURL(/[?&]q=uppukat$/);
  await page.reload();
  await expect(items(page).first()).toContainText('Salt Wind');
});

test('a title is not on its time, in lists of any width', async ({ page, site }) => {
  await open(page, `${site.url}/programme?q=tide`);
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const covered = await items(page).evaluateAll((all) =>
      all.flatMap((item) => {
        const [time, title] = [item.querySelector('p'), item.querySelector('h3')].map((text) => {
          const range = document.createRange();
          range.selectNodeContents(text as Element);
          return range.getBoundingClientRect();
        }) as [DOMRect, DOMRect];
        const isApart = title.top >= time.bottom - 1 || title.left >= time.right;
        return isApart ? [] : [item.querySelector('h3')?.textContent];
      }),
    );
    expect(covered, `${width}`).toEqual([]);
  }
});

test('a screening goes into calendars', async ({ page, site }) => {
  const { screenings } = await site.get<Released>('/programme/');
  const screening = screenings.find(({ cancelled }) => !cancelled);
  await open(page, `${site.url}/programme?day=${screening?.day}`);
  const item = page.locator(`#screening-${screening?.id}`);
  await item.getByText('Calendar and link').click();
  const href = await item.getByRole('link', { name: 'Calendar file' }).getAttribute('href');
  const answer = await page.request.get(`${site.url}${href}`);
  expect(await answer.text()).toMatch(/BEGIN:VEVENT[\s\S]*DTSTART/);
  await expect(item.getByRole('link', { name: 'Google Calendar' })).toHaveAttribute('href', /dates=\d{8}T\d{6}Z%2F\d{8}T\d{6}Z/);
});

test('nothing is wrong for assistive technology, and nothing overflows from 360 to 2560 px', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const query of ['?q=salt', '?q=xqzwvk', '']) {
    await open(page, `${site.url}/programme${query}`);
    expect(await faults(page, 360, 768, 1440, 2560), query).toEqual([]);
  }
  // The header's own links and the grid of halls exist in wide windows only.
  expect(await faults(page), 'wide').toEqual([]);
});

test('screenings are in the column of their hall, ordered by time, and do not overlap', async ({ page, site }) => {
  await open(page, `${site.url}/programme`);
  const boxes = await items(page).evaluateAll((all) =>
    all.map((item) => {
      const { left, right, top, bottom } = item.getBoundingClientRect();
      return { left, right, top, bottom };
    }),
  );
  expect(new Set(boxes.map(({ left }) => Math.round(left))).size).toBeGreaterThan(1);
  const covered = boxes.filter((one, at) =>
    boxes.some(
      (other, place) =>
        place > at && one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1,
    ),
  );
  expect(covered).toEqual([]);
});

test('a day is printed on one sheet of A4', async ({ page, site }) => {
  const { days } = await site.get<Released>('/programme/');
  await open(page, `${site.url}/programme?day=${days[1]}`);
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

/** Opens a site whose visitor has starred screenings, on a device that last saw `version` of the programme. */
async function openWith(page: Page, url: string, kept: { screenings: number[]; version: number }, address = '/programme?view=mine') {
  await page.addInitScript((kept) => {
    if (!localStorage.getItem('programme')) localStorage.setItem('programme', kept);
  }, JSON.stringify(kept));
  await open(page, `${url}${address}`);
}

test('starred screenings are a plan that says what clashes, in all tabs and after a restart', async ({ page, site }) => {
  const { screenings } = await site.get<{ screenings: (Released['screenings'][number] & { starts_at: string; ends_at: string })[] }>('/programme/');
  const running = screenings.filter(({ cancelled }) => !cancelled);
  const [one, other] = running.flatMap((one) => {
    const other = running.find(
      ({ id, starts_at, ends_at }) => id > one.id && starts_at >= one.starts_at && starts_at < one.ends_at && ends_at > one.starts_at,
    );
    return other ? [[one, other] as const] : [];
  })[0] ?? [undefined, undefined];
  await open(page, `${site.url}/programme?day=${one?.day}`);
  const second = await page.context().newPage();
  await open(second, `${site.url}/programme?view=mine`);
  for (const screening of [one, other]) {
    const star = page.locator(`#screening-${screening?.id}`).getByRole('button', { name: 'My festival' });
    await star.click();
    await expect(star).toHaveAttribute('aria-pressed', 'true');
  }
  for (const tab of [second, page]) {
    if (tab === page) await tab.getByRole('link', { name: 'My festival' }).click();
    await expect(items(tab)).toHaveCount(2);
    await expect(tab.locator('main')).toContainText(`“${other?.title}” begins before “${one?.title}” is over`);
  }
  await page.reload();
  await expect(items(page)).toHaveCount(2);
});

test('a plan goes to another device by a link of which the server sees nothing', async ({ page, site, browser }) => {
  const { screenings } = await site.get<Released>('/programme/');
  const ids = screenings.slice(0, 3).map(({ id }) => id);
  await openWith(page, site.url, { screenings: ids, version: 2 });
  await page.getByRole('button', { name: 'Take it to another phone' }).click();
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  const link = await page.getByLabel('Or send this link').inputValue();
  const other = await browser.newContext();
  const phone = await other.newPage();
  const requested: string[] = [];
  phone.on('request', (request) => requested.push(request.url() + (request.postData() ?? '')));
  await open(phone, link);
  await phone.getByRole('button', { name: 'Add to my festival' }).click();
  await expect(items(phone)).toHaveCount(3);
  expect(requested.filter((url) => url.includes('plan='))).toEqual([]);
  expect((await axe(phone).analyze()).violations).toEqual([]);
  await other.close();
});

test('a starred screening that was moved is pointed out on the next visit, until it was seen', async ({ page, site }) => {
  const { screenings } = await site.get<Released>('/programme/');
  const moved = screenings.find(({ change, cancelled }) => change?.kind === 'moved' && !cancelled);
  await openWith(page, site.url, { screenings: [moved?.id ?? 0], version: 1 });
  await expect(page.getByRole('link', { name: 'My festival: 1 changed' })).toBeVisible();
  await expect(page.locator('main')).toContainText('Changed since your last visit');
  await page.getByRole('button', { name: 'I have seen this' }).click();
  await expect(page.getByRole('link', { name: 'My festival', exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'My festival', exact: true })).toBeVisible();
});

for (const scripts of [true, false]) {
  test(`the link of a screening opens its day ${scripts ? 'at its place' : 'without scripts'}`, async ({ browser, site }) => {
    const { days, screenings } = await site.get<Released>('/programme/');
    const screening = screenings.filter(({ day }) => day === days[3]).at(-1);
    const context = await browser.newContext({ javaScriptEnabled: scripts });
    const page = await context.newPage();
    await page.goto(`${site.url}/programme?screening=${screening?.id}`);
    const item = page.locator(`#screening-${screening?.id}`);
    await expect(item).toHaveAttribute('aria-current', 'true');
    await expect(items(page)).toHaveCount(screenings.filter(({ day }) => day === days[3]).length);
    if (scripts) {
      await expect(item).toBeFocused();
      await expect(item).toBeInViewport();
    }
    // Unknown screenings and invalid ids are ignored.
    for (const wrong of ['99999', 'x', '%00']) {
      await page.goto(`${site.url}/programme?screening=${wrong}`);
      await expect(page.locator('[aria-current="true"]')).toHaveCount(0);
      await expect(items(page)).toHaveCount(screenings.filter(({ day }) => day === days[0]).length);
    }
    await context.close();
  });
}

test('a screening is shared by its link', async ({ page, site, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { days, screenings } = await site.get<Released>('/programme/');
  const screening = screenings.find(({ day, cancelled }) => day === days[1] && !cancelled);
  await open(page, `${site.url}/programme?day=${days[1]}`);
  const item = page.locator(`#screening-${screening?.id}`);
  await item.getByText('Calendar and link').press('Enter');
  await item.getByRole('button', { name: 'Copy link' }).press('Enter');
  await expect(item.getByRole('status')).toHaveText('Link copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/programme?screening=${screening?.id}`);
  expect((await axe(page).analyze()).violations).toEqual([]);
});

test('a film shows its screenings, with their marks and stars, and nothing moves when they come', async ({ page, site }) => {
  type Shown = { films: { id: number; section: { id: number } }[]; screenings: (Released['screenings'][number] & { films: number[] })[] };
  const { films, screenings } = await site.get<Shown>('/programme/');
  const moved = screenings.find(({ change, cancelled }) => change?.kind === 'moved' && !cancelled);
  const film = films.find(({ id }) => id === moved?.films[0]);
  const shifts = await watchShifts(page);
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const release = await holdRequests(page, '**/api/programme/?film=*');
    await open(page, `${site.url}/films/${film?.section.id}?film=${film?.id}`);
    const block = page.getByRole('dialog').getByRole('region', { name: 'Screenings' });
    await expect(block).toHaveCount(0);
    await shifts.restart();
    release();
    await expect(block.getByRole('listitem')).toHaveCount(screenings.filter(({ films }) => films.includes(film?.id ?? 0)).length);
    const { score, moved: nodes } = await shifts.seen();
    expect(score, nodes.join('\n')).toBeLessThan(0.005);
    await page.unrouteAll();
  }
  const item = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Moved; it was' });
  expect((await axe(page).analyze()).violations).toEqual([]);
  await item.getByRole('button', { name: 'My festival' }).press('Enter');
  await expect(item.getByRole('button', { name: 'My festival' })).toHaveAttribute('aria-pressed', 'true');
  await item.getByRole('link').press('Enter');
  await expect(page.locator(`#screening-${moved?.id}`)).toBeFocused();
  await expect(page.locator(`#screening-${moved?.id}`).getByRole('button', { name: 'My festival' })).toHaveAttribute('aria-pressed', 'true');
});

test('without the module a film is a film, and the home page has no way to a programme', async ({ page, site, siteOf }) => {
  const { films } = await site.get<{ films: { id: number; section: { id: number } }[] }>('/programme/');
  const without = await siteOf('without-programme');
  await open(page, `${without.url}/films/${films[0]?.section.id}?film=${films[0]?.id}`);
  await expect(page.getByRole('dialog')).toContainText('Director');
  await expect(page.getByRole('heading', { name: 'Screenings' })).toHaveCount(0);
  await open(page, without.url);
  await expect(page.getByRole('link', { name: 'See the programme' })).toHaveCount(0);
});

test('the hero leads to the programme while the festival is near, without scripts as well', async ({ browser, site, siteOf }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.url);
  await page.getByRole('link', { name: 'See the programme' }).click();
  await expect(page).toHaveURL(`${site.url}/programme`);
  // A festival that is over.
  await page.goto((await siteOf('exact')).url);
  await expect(page.getByRole('link', { name: 'See the programme' })).toHaveCount(0);
  await context.close();
});
