import type { Site } from './program.ts';

/** A page of the site, as the specification lists them. */
export interface SiteRoute {
  /** The path, with `{category}`, `{blog}` and `{slug}` from the data. */
  path: string;
  /** Matches the page's main heading with any data. */
  heading: RegExp;
  /** The module that the page belongs to. */
  module?: 'festivals' | 'films' | 'content' | 'forms' | 'magazines' | 'programme';
  status?: number;
  /** Excluded from search engines. */
  hidden?: true;
  /** Its frame needs its own content security policy, so that it is always loaded as a document. */
  framing?: true;
  /** The page has a form. */
  sends?: true;
}

/** Every page with the shared layout. */
export const routes: SiteRoute[] = [
  { path: '/', heading: /./ },
  { path: '/about-us', heading: /About|./, module: 'content' },
  { path: '/twenty-{slug}', heading: /./, module: 'festivals' },
  { path: '/history', heading: /History/, module: 'festivals' },
  { path: '/team', heading: /./, module: 'festivals' },
  { path: '/isff-2025', heading: /Science/i, module: 'festivals' },
  { path: '/ifff-9th', heading: /Folklore/i, module: 'festivals' },
  { path: '/ndsf-2025', heading: /National Documentary/i, module: 'festivals' },
  { path: '/kottaka', heading: /./, module: 'magazines' },
  { path: '/blogs', heading: /Blog$/, module: 'content' },
  { path: '/blog/{blog}', heading: /./, module: 'content' },
  { path: '/contact-us', heading: /Contact/i, module: 'forms', sends: true },
  { path: '/privacy-and-terms', heading: /./, module: 'content' },
  { path: '/download', heading: /logo/i, module: 'content' },
  { path: '/form', heading: /^DELEGATE \/ MEMBER FORM - .+ \d{4}$/, module: 'forms', sends: true },
  { path: '/form-asian', heading: /Asian/, module: 'forms', sends: true },
  { path: '/form-indian', heading: /Indian/, module: 'forms', sends: true },
  { path: '/form-malayalam', heading: /Malayalam/, module: 'forms', sends: true },
  { path: '/submit-entry', heading: /./, module: 'forms' },
  { path: '/films', heading: /Films/, module: 'films' },
  { path: '/films/{category}', heading: /./, module: 'films' },
  { path: '/films/{category}/a-z', heading: /./, module: 'films' },
  { path: '/programme', heading: /^Programme$/, module: 'programme' },
  { path: '/success', heading: /^Form Submitted Successfully$/, module: 'forms', hidden: true },
  { path: '/analytics-ga4-view-via-looker', heading: /Analytics/, module: 'content', hidden: true, framing: true },
  { path: '/no/such/page', heading: /^Page Not Found$/, status: 404, hidden: true },
];

/** The URL of a route on this site. */
export async function addressOf(path: string, site: Site): Promise<string> {
  let address = path;
  if (path.includes('{slug}')) {
    const { product } = await site.get<{ product: { slug: string } }>('/site/');
    address = address.replace('{slug}', product.slug);
  }
  if (path.includes('{category}')) {
    address = address.replace('{category}', await firstOf('/categories/', site));
  }
  if (path.includes('{blog}')) {
    address = address.replace('{blog}', await firstOf('/blogs/', site));
  }
  return site.url + address;
}

/** The id of a list's first element; "1", which does not exist, if the list is empty. */
async function firstOf(path: string, site: Site): Promise<string> {
  const list = await site.get<{ id: number }[] | { error: string }>(path);
  return String(Array.isArray(list) ? (list[0]?.id ?? 1) : 1);
}
