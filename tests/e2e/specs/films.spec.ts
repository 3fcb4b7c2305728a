import type { Locator } from '@playwright/test';
import { addressOf } from '../support/routes.ts';
import { expect, open, test, type Site } from '../support/test.ts';

interface Film {
  id: number;
  category_id: number;
  name: string;
  year: number | null;
  country: string | null;
  poster: string | null;
  poster_alt: string | null;
  director_name: string | null;
  writer_name: string | null;
  producer_name: string | null;
  cast_details: string | null;
  crew_details: string | null;
  synopsis: string | null;
  still_one: string | null;
  still_two: string | null;
  still_one_alt: string | null;
  still_two_alt: string | null;
}

/** Ignores differences in white space. */
const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();

/** Expects every known detail of a film, and no empty ones. */
async function expectAll(overlay: Locator, film: Film) {
  await expect(overlay.getByRole('heading', { level: 2 })).toHaveText(film.name);
  for (const fact of [film.year, film.country]) {
    if (fact) await expect(overlay.getByRole('listitem').filter({ hasText: String(fact) }).first()).toBeVisible();
  }
  const poster = overlay.getByRole('img', { name: film.poster_alt ?? `Poster of ${film.name}`, exact: true });
  await expect(poster).toHaveCount(film.poster ? 1 : 0);
  // A picture is requested in the width that the window needs.
  const pictures = [film.poster, film.still_one, film.still_two].filter((picture) => picture !== null);
  const shown = await overlay.locator('img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src.replace(/\?w=\d+$/, '')));
  expect(shown, 'each picture once, in its place').toEqual(pictures);
  await expect(overlay.getByText('No Poster', { exact: true })).toHaveCount(film.poster ? 0 : 1);
  const rows = [
    ['Director', film.director_name],
    ['Writer', film.writer_name],
    ['Producer', film.producer_name],
    ['Cast', film.cast_details],
    ['Crew', film.crew_details],
    ['Synopsis', film.synopsis],
  ].filter(([, value]) => value);
  await expect(overlay.locator('tr th')).toHaveText(rows.map(([name]) => name ?? ''));
  const values = await overlay.locator('tr td').evaluateAll((all) => all.map((cell) => cell.textContent ?? ''));
  expect(values.map(plain)).toEqual(rows.map(([, value]) => plain(value ?? '')));
  const stills = [film.still_one, film.still_two].filter(Boolean).length;
  await expect(overlay.getByRole('heading', { name: 'Stills' })).toHaveCount(stills > 0 ? 1 : 0);
  const named = [film.still_one_alt, film.still_two_alt].filter((alt) => alt !== null);
  for (const name of named) await expect(overlay.getByRole('img', { name, exact: true })).toHaveCount(1);
  await expect(overlay.getByRole('img', { name: /^(Still|Second still) of/ })).toHaveCount(stills - named.length);
}

/** One film of each kind: all details, no details, one still, no stills. */
async function samples(site: Site): Promise<Film[]> {
  const categories = await site.get<{ id: number }[]>('/categories/');
  const lists = await Promise.all(categories.map(({ id }) => site.get<Film[]>(`/categories/${id}/films/`)));
  const films = lists.flat();
  const kinds: ((film: Film) => boolean)[] = [
    (film) => Object.values(film).every((value) => value !== null),
    (film) => !film.poster && !film.director_name && !film.synopsis,
    (film) => Boolean(film.poster) && (film.still_one === null) !== (film.still_two === null),
    (film) => Boolean(film.poster) && !film.still_one && !film.still_two,
  ];
  return kinds.map((isKind) => films.find(isKind)).map((film) => {
    if (!film) throw new Error('the hard data have lost a kind of film');
    return film;
  });
}

test('the details show everything known about a film, in the listing and on its category’s page', async ({ page, siteOf }) => {
  const site = await siteOf('hard');
  const overlay = page.getByRole('dialog');
  for (const film of await samples(site)) {
    for (const path of ['/films', `/films/${film.category_id}`]) {
      await open(page, `${site.url}${path}?film=${film.id}`);
      await expect(overlay).toBeVisible();
      await expectAll(overlay, film);
      await expect(overlay.getByRole('button', { name: path === '/films' ? 'Back to Films' : 'Close', exact: true })).toBeVisible();
    }
  }
});

test('a card shows poster, title and director, or a placeholder', async ({ page, siteOf }) => {
  const site = await siteOf('hard');
  for (const film of await samples(site)) {
    for (const path of ['/films', `/films/${film.category_id}`]) {
      await open(page, site.url + path);
      const card = page.locator(`main a[aria-haspopup="dialog"][href="/films/${film.category_id}?film=${film.id}"]`).first();
      await expect(card).toContainText(film.name);
      if (film.director_name) await expect(card).toContainText(film.director_name);
      await expect(card.locator('img')).toHaveCount(film.poster ? 1 : 0);
      const drawn = card.locator('[data-drawn]');
      await expect(drawn).toHaveCount(film.poster ? 0 : 1);
      if (!film.poster) await expect(drawn).toHaveText(film.name);
      for (const fact of [film.country, film.year]) if (fact) await expect(card).toContainText(String(fact));
    }
  }
});

test('every category is a carousel of its films', async ({ page, site }) => {
  await open(page, `${site.url}/films`);
  const categories = page.locator('main section[id^="category-"]');
  await expect(categories.locator('h2')).toHaveText([/^Malayalam Cinema/, /^Indian Cinema/, /^Asian Cinema/]);
  for (const [place, [name, count, first]] of ([['Malayalam Cinema', 8, 'The Rain Road'], ['Indian Cinema', 10, 'A Letter of Salt'], ['Asian Cinema', 8, 'The Tide Room']] as const).entries()) {
    const carousel = categories.nth(place).getByRole('group', { name, exact: true });
    await carousel.scrollIntoViewIfNeeded();
    await expect(carousel).toHaveAttribute('aria-roledescription', 'carousel');
    await expect(carousel.locator('li')).toHaveCount(count);
    await expect(carousel.locator('li').first()).toContainText(first);
    await expect(carousel.getByRole('button', { name: `Next: ${name}` })).toBeVisible();
  }
});

test('a category’s page: its name, its description, a grid of its films', async ({ page, site }) => {
  await open(page, `${site.url}/films/1`);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Malayalam Cinema');
  await expect(main.getByText('First and second films in Malayalam. The winner takes the Rosamma Vattakkayal Award: ₹1,00,000 and a trophy.', { exact: true })).toBeVisible();
  const cards = main.locator('a[aria-haspopup="dialog"]');
  await expect(cards).toHaveText([
    /The Rain Road.*Anagha Vellimon/,
    /^Salt Wind/,
    /^The Lamp at the Landing/,
    /^The Eighth Wave/,
    /^Painted Face/,
    /^Umbrellas Without Owners/,
    /^Shadow of a Palm/,
    /^What the Water Wrote/,
  ]);
  const films = await site.get<Film[]>('/categories/1/films/');
  for (const [index, { director_name }] of films.entries()) {
    await expect(cards.nth(index)).toContainText(director_name ?? '?');
    await cards.nth(index).scrollIntoViewIfNeeded();
    await expect.poll(() => cards.nth(index).locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  const columns = await cards.evaluateAll((all) => new Set(all.map((card) => Math.round(card.getBoundingClientRect().x))).size);
  expect(columns, 'a grid').toBeGreaterThan(1);
});

test('Back closes the film on a category’s page, and the page stays', async ({ page, site }) => {
  const address = await addressOf('/films/{category}', site);
  await open(page, address);
  await page.locator('main a[aria-haspopup="dialog"]').nth(1).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page).toHaveURL(/\?film=\d+$/);
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(address);
});
