import { useEffect } from 'react';

/** A page's metadata for search engines, messengers and the browser's tab. */
export interface HeadProps {
  title: string;
  description: string;
  /** Absolute URL of the picture that messengers show if the server draws no card. */
  image?: string | null;
  /** `website`, `article` or `video.movie`. */
  type?: string;
  /**
   * The query that belongs to the canonical address: `?film=3` if the page shows that film. The server derives it
   * itself.
   */
  query?: string;
  /** The feed of the page's list: path and title. */
  feed?: { path: string; title: string };
  keywords?: string;
  /** Keeps the page out of search engines. */
  hidden?: boolean;
  /** The picture that is painted first: fetched before the styles are read. */
  preload?: { wide: string | null; small?: string | null };
}

/** Where the server's render collects `<Head>` properties; null in a browser. */
let collected: HeadProps[] | null = null;

/** Runs `render` and also returns every `<Head>` in it. */
export function collectHead<T>(render: () => T): { result: T; heads: HeadProps[] } {
  const heads: HeadProps[] = [];
  collected = heads;
  try {
    return { result: render(), heads };
  } finally {
    collected = null;
  }
}

/**
 * The document's head: on the server it is written into the document, in the browser it is updated after navigations.
 */
export function Head(props: HeadProps): null {
  collected?.push(props);
  const { title, description, query = '', image = null, type = 'website', keywords = null, hidden = false } = props;
  useEffect(() => {
    document.title = title;
    setContent('meta[name="description"]', description);
    setContent('meta[property="og:title"]', title);
    setContent('meta[property="og:description"]', description);
    const address = location.origin + location.pathname + query;
    const canonical = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    // The server has written it for its own page.
    if (served !== null) {
      if (canonical) canonical.href = address;
      setContent('meta[property="og:url"]', address);
    }
    setContent('meta[property="og:type"]', type);
    setMeta('name', 'keywords', keywords);
    setMeta('name', 'robots', hidden ? 'noindex' : null);
    setContent('meta[name="twitter:title"]', title);
    setContent('meta[name="twitter:description"]', description);
    // The page that the server sent keeps its social card.
    served ??= location.pathname;
    if (served === location.pathname) return;
    served = '';
    for (const about of ['type', 'width', 'height', 'alt']) setMeta('property', `og:image:${about}`, null);
    setMeta('name', 'twitter:image:alt', null);
    setMeta('property', 'og:image', image);
    setMeta('name', 'twitter:image', image);
    setMeta('name', 'twitter:card', image ? 'summary_large_image' : 'summary');
  }, [title, description, query, image, type, keywords, hidden]);
  return null;
}

/** The path of the page that the server sent; empty once another one was shown. */
let served: string | null = null;

/** The tab's title while something is open over the page that its own head does not cover. */
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

/** The same for optional elements: created if missing, removed if there is no value. */
function setMeta(kind: 'name' | 'property', key: string, content: string | null) {
  const found = document.head.querySelector<HTMLMetaElement>(`meta[${kind}="${key}"]`);
  if (content === null) return found?.remove();
  const meta = found ?? document.createElement('meta');
  meta.setAttribute(kind, key);
  meta.content = content;
  if (!found) document.head.append(meta);
}
