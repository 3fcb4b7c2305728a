import type { Page } from '@playwright/test';
import { forms } from '../../../frontend/src/shared/api/generated/all-forms.ts';
import type { Site } from './program.ts';

/** Per page: lists of the API, and the fields that must be shown. */
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

/** Fixed texts of pages. */
const fixedTexts: Record<string, string[]> = {
  '/contact-us': [forms.contact.lead, ...forms.contact.fields.map(({ label }) => label)],
  '/download': ['Download', 'Back to Home'],
  '/form': forms.delegate.fields.map(({ label }) => label),
  '/form-asian': forms.asian.fields.map(({ label }) => label),
  '/form-indian': forms.indian.fields.map(({ label }) => label),
  '/form-malayalam': forms.malayalam.fields.map(({ label }) => label),
  '/success': ['Thank you! Your submission has been received.', 'Go Home'],
  '/no/such/page': ["Oops! We couldn't find that page."],
};

/** The texts that a page must show, normalised like `readableText`. */
export async function contentOf(path: string, site: Site): Promise<string[]> {
  const found = [...(fixedTexts[path] ?? [])];
  for (const [list, ...fields] of shows[path] ?? []) {
    const response = await site.get<unknown>(list);
    const rows = Array.isArray(response) ? response : [response];
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

/** The texts of a value: names and films of a group's members, the first sentence of HTML. */
function texts(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => [...texts(one.name), ...texts(one.film), ...texts(one.person)]);
  const [paragraph] = /(?<=<p>)[^<]+/.exec(String(value)) ?? [];
  return [paragraph ?? String(value)].filter((text) => !text.startsWith('<'));
}

/** Normalises entities, white space and case. */
function plain(text: string): string {
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&nbsp;', ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The visible text of the main content, normalised. */
export async function readableText(page: Page): Promise<string> {
  return plain(await page.getByRole('main').evaluate((main) => (main as HTMLElement).innerText));
}
