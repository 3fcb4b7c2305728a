import type { Page } from '@playwright/test';
import { forms } from '../../../frontend/src/shared/api/generated/forms.ts';
import type { Site } from './program.ts';

/** Lists of the API, by what of an element a page must show. */
const shows: Record<string, [list: string, ...fields: string[]][]> = {
  '/': [
    ['/upcoming-events/', 'event', 'event_datetime_text', 'location'],
    ['/categories/', 'name'],
    ['/posters/', 'title'],
    ['/screening-schedule/', 'title'],
    ['/daily-events/', 'title'],
    ['/venues/', 'name', 'place'],
    ['/guests/', 'name', 'role'],
    ['/namesakes/', 'name'],
    ['/partners/', 'name'],
    ['/organisers/', 'name'],
    ['/selections/', 'name'],
  ],
  '/about-us': [['/pages/about-us/', 'title', 'lead', 'body']],
  '/twenty-{slug}': [
    ['/pages/twenty/', 'title', 'lead', 'body'],
    ['/awards/', 'name', 'amount_text'],
    ['/namesakes/', 'name', 'life', 'award', 'biography'],
  ],
  '/history': [['/history/', 'year', 'dates', 'venue', 'director', 'chair']],
  '/team': [['/team/', 'group', 'members']],
  '/isff-2025': [['/pages/isff-2025/', 'title', 'lead']],
  '/ifff-9th': [['/pages/ifff-9th/', 'title', 'lead']],
  '/ndsf-2025': [
    ['/pages/ndsf-2025/', 'title', 'lead'],
    ['/winners/', 'award', 'winners'],
  ],
  '/kottaka': [['/kottaka-magazines/', 'name']],
  '/blogs': [['/blogs/', 'title', 'created_at_text']],
  '/privacy-and-terms': [['/pages/privacy-and-terms/', 'title', 'lead', 'body']],
  '/films': [['/categories/', 'name', 'category_desc']],
  '/submit-entry': [['/pages/submit-entry/', 'title', 'lead', 'body']],
};

/** Words of pages that are not lists. */
const words: Record<string, string[]> = {
  '/contact-us': [forms.contact.lead, ...forms.contact.fields.map(({ label }) => label)],
  '/download': ['Download', 'Back to Home'],
  '/form': forms.delegate.fields.map(({ label }) => label),
  '/form-asian': forms.asian.fields.map(({ label }) => label),
  '/form-indian': forms.indian.fields.map(({ label }) => label),
  '/form-malayalam': forms.malayalam.fields.map(({ label }) => label),
  '/success': ['Thank you! Your submission has been received.', 'Go Home'],
  '/no/such/page': ["Oops! We couldn't find that page."],
};

/** Texts that must be on the page, as `readable` gives them. */
export async function contentOf(path: string, site: Site): Promise<string[]> {
  const found = [...(words[path] ?? [])];
  for (const [list, ...fields] of shows[path] ?? []) {
    const answer = await site.get<unknown>(list);
    const rows = Array.isArray(answer) ? answer : [answer];
    if (rows.length === 0) throw new Error(`${list} is empty: nothing would be tested`);
    for (const row of rows) for (const field of fields) found.push(...texts(row[field]));
  }
  if (path === '/films/{category}') {
    const [category] = await site.get<{ id: number; name: string }[]>('/categories/');
    const films = await site.get<{ name: string; director: string }[]>(`/categories/${category?.id}/films/`);
    found.push(category?.name ?? '?', ...films.flatMap(({ name, director }) => [name, director]));
  }
  if (path === '/blog/{blog}') {
    const [blog] = await site.get<{ title: string; content: string }[]>('/blogs/');
    found.push(blog?.title ?? '?', ...texts(blog?.content));
  }
  return found.map(plain);
}

/** The texts of a value: of a group its members' names and films, of HTML its first sentence. */
function texts(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => [...texts(one.name), ...texts(one.film), ...texts(one.person)]);
  const [paragraph] = /(?<=<p>)[^<]+/.exec(String(value)) ?? [];
  return [paragraph ?? String(value)].filter((text) => !text.startsWith('<'));
}

/** Capitals are the style sheet's choice, and spaces the line's. */
function plain(text: string): string {
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&nbsp;', ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** What can be read in the page's own part. */
export async function readable(page: Page): Promise<string> {
  return plain(await page.getByRole('main').evaluate((main) => (main as HTMLElement).innerText));
}
