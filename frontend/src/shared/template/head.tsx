import { useEffect } from 'react';
import { atWidth } from '../ui/picture/widths';
import { expression, isPrinting } from './expression';
import { choose } from './when';

/** What a page says about itself to search engines, messengers and the browser's tab. */
export interface HeadProps {
  title: string;
  description: string;
  /** Absolute URL of the picture that messengers show where the server draws no card. */
  image?: string | null;
  /** `website`, `article` or `video.movie`. */
  type?: string;
  /** The query that belongs to the address: `?film=3` where that is what the page shows. The template knows it itself. */
  query?: string;
  /** The feed of what the page lists: its path and what it is called. */
  feed?: { path: string; title: string };
  keywords?: string;
  /** Keeps the page out of search engines. */
  hidden?: boolean;
  /** The picture that is painted first: fetched before the styles are read. */
  preload?: { wide: string | null; small?: string | null };
}

let printed: string[] = [];

/** The heads that were printed since the last call; a page has exactly one. */
export function takeHeads(): string[] {
  const heads = printed;
  printed = [];
  return heads;
}

/** Prints into the document's head in the build; in the browser it keeps tab, description and address right on navigation. */
export function Head(props: HeadProps): null {
  if (isPrinting()) printed.push(headHtml(props));
  const { title, description, query = '' } = props;
  useEffect(() => {
    document.title = title;
    setContent('meta[name="description"]', description);
    setContent('meta[property="og:title"]', title);
    setContent('meta[property="og:description"]', description);
    const address = location.origin + location.pathname + query;
    const canonical = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    if (canonical) canonical.href = address;
    setContent('meta[property="og:url"]', address);
  }, [title, description, query]);
  return null;
}

/** What the tab says as long as something lies open over the page that the page's own head does not know of. */
export function useTitle(title: string) {
  useEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);
}

function setContent(selector: string, content: string) {
  document.head.querySelector(selector)?.setAttribute('content', content);
}

function headHtml(props: HeadProps): string {
  const { title, description, image, type = 'website', keywords, hidden, feed, preload } = props;
  const named = expression<{ name: string; value: string }>('@root.named');
  const address = `${expression('@root.base_url')}${expression('@root.path')}${choose(named, `?${named.name}=${named.value}`)}`;
  const lines = [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    keywords ? meta('name', 'keywords', keywords) : '',
    hidden ? meta('name', 'robots', 'noindex') : '',
    `<link rel="canonical" href="${address}">`,
    feed
      ? `<link rel="alternate" type="application/atom+xml" title="${escapeHtml(feed.title)}" href="${feed.path}">`
      : '',
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:type', type),
    meta('property', 'og:url', address),
    meta('name', 'twitter:title', title),
    meta('name', 'twitter:description', description),
  ];
  lines.push(socialHtml(image));
  if (preload?.wide) {
    const link = (source: string, media = '') =>
      `<link rel="preload" as="image" href="${source}"${media} fetchpriority="high">`;
    const two =
      link(atWidth(`${preload.small}`, 1080), ' media="(max-width: 48rem)"') +
      link(atWidth(`${preload.wide}`, 1600), ' media="(min-width: 48.01rem)"');
    lines.push(choose(preload.wide, choose(preload.small, two, link(atWidth(`${preload.wide}`, 1600)))));
  }
  return lines.filter(Boolean).join('\n');
}

/** The picture that messengers show: the card that the server draws, else the page's own picture. */
function socialHtml(image: string | null | undefined): string {
  const card = expression<{ url: string; alt: string; width: number; height: number }>('@root.card');
  const large = meta('name', 'twitter:card', 'summary_large_image');
  const small = meta('name', 'twitter:card', 'summary');
  const own = [meta('property', 'og:image', `${image}`), meta('name', 'twitter:image', `${image}`), large];
  const drawn = [
    meta('property', 'og:image', `${card.url}`),
    meta('property', 'og:image:type', 'image/jpeg'),
    meta('property', 'og:image:width', `${card.width}`),
    meta('property', 'og:image:height', `${card.height}`),
    meta('property', 'og:image:alt', `${card.alt}`),
    meta('name', 'twitter:image', `${card.url}`),
    meta('name', 'twitter:image:alt', `${card.alt}`),
    large,
  ];
  return choose(card, drawn.join('\n'), image ? choose(image, own.join('\n'), small) : small);
}

function meta(kind: 'name' | 'property', key: string, content: string): string {
  return `<meta ${kind}="${key}" content="${escapeHtml(content)}">`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
