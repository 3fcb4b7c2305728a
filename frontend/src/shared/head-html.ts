import type { HeadProps } from './head';
import { atWidth, everyWidth, pictureSizes } from './ui/picture';

/** Data for the head that only the server knows. */
export interface ServerHead {
  /** The site's address, without a trailing slash. */
  base_url: string;
  boot: { path: string };
  /** The part of the query that belongs to the page's canonical address. */
  named: { name: string; value: string } | null;
  /** The social card that the server draws. */
  card: { url: string; alt: string; width: number; height: number } | null;
}

/** The lines of the document's head that depend on the page. */
export function headHtml(props: HeadProps, { base_url, boot, named, card }: ServerHead): string {
  const { title, description, image, type = 'website', keywords, hidden, feed, preload } = props;
  const address = base_url + boot.path + (named ? `?${named.name}=${named.value}` : '');
  const picture = card?.url ?? image;
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    keywords && meta('name', 'keywords', keywords),
    hidden && meta('name', 'robots', 'noindex'),
    `<link rel="canonical" href="${escapeHtml(address)}">`,
    feed &&
      `<link rel="alternate" type="application/atom+xml" title="${escapeHtml(feed.title)}" href="${escapeHtml(feed.path)}">`,
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:type', type),
    meta('property', 'og:url', address),
    meta('name', 'twitter:title', title),
    meta('name', 'twitter:description', description),
    picture && meta('property', 'og:image', picture),
    card && meta('property', 'og:image:type', 'image/jpeg'),
    card && meta('property', 'og:image:width', `${card.width}`),
    card && meta('property', 'og:image:height', `${card.height}`),
    card && meta('property', 'og:image:alt', card.alt),
    picture && meta('name', 'twitter:image', picture),
    card && meta('name', 'twitter:image:alt', card.alt),
    meta('name', 'twitter:card', picture ? 'summary_large_image' : 'summary'),
    ...preloads(preload),
  ]
    .filter(Boolean)
    .join('\n');
}

/** Preloads the picture that is painted first: narrow windows load the small one. */
function preloads(pictures: HeadProps['preload']): string[] {
  if (!pictures?.wide) return [];
  const link = (source: string, rest = '') =>
    `<link rel="preload" as="image" href="${escapeHtml(source)}"${rest} fetchpriority="high">`;
  const { wide, small } = pictures;
  if (!small) return [link(atWidth(wide, 1600))];
  return [
    link(
      atWidth(small, 1080),
      ` imagesrcset="${escapeHtml(everyWidth(small))}" imagesizes="${pictureSizes.first}" media="(max-width: 48rem)"`,
    ),
    link(atWidth(wide, 1600), ' media="(min-width: 48.01rem)"'),
  ];
}

function meta(kind: 'name' | 'property', key: string, content: string): string {
  return `<meta ${kind}="${key}" content="${escapeHtml(content)}">`;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}
