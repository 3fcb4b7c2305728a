import { useEffect } from 'react';
import { preload, useSWRConfig } from 'swr';
import { useFirstPage } from '@/shared/api/boot';
import { fetchJson } from '@/shared/api/client';
import { pageData } from '@/shared/api/generated/page-data';
import { base } from '@/shared/archive';
import { matchPath, useNavigate } from '@/shared/router';
import { usePageChange } from './page-change';
import { loadPage } from './pages';
import type { SiteRoute } from './routes';

/**
 * Makes plain links fast: a click on a link to a page of the site shows it without loading a document, and pointing at
 * one prefetches its code and data. Links inside texts that organisers wrote work the same way.
 */
export function SiteLinks({ routes }: { routes: SiteRoute[] }) {
  const navigate = useNavigate();
  const { boot } = useFirstPage();
  const { cache, mutate } = useSWRConfig();
  const { leave, beam } = usePageChange();

  useEffect(() => {
    /** Fetches a page's code and data, unless they are there. */
    const load = async ({ route, params }: Found) => {
      const paths = (pageData[route.template] ?? []).map((path) => withParameters(path, params));
      const data = paths.map(async (key) => {
        if (key in boot.data || cache.get(key)?.data !== undefined) return;
        const answer = await preload(key, (path: string) => fetchJson(boot.api, path));
        // The page then starts with them.
        if (cache.get(key)?.data === undefined) await mutate(key, answer, { revalidate: false });
      });
      await Promise.all([loadPage(route), ...data]);
    };

    const onClick = (event: MouseEvent) => {
      if (
        event.defaultPrevented ||
        event.button !== 0 ||
        event.metaKey ||
        event.ctrlKey ||
        event.shiftKey ||
        event.altKey
      )
        return;
      const url = siteUrl(event.target);
      const target = url && routeOf(routes, url);
      if (!target) return;
      // The browser itself scrolls to an anchor on the same page.
      if (url.hash && url.pathname === location.pathname && url.search === location.search) return;
      event.preventDefault();
      const here = url.href === location.href;
      const go = () => {
        navigate(url.pathname.slice(base.length) + url.search + url.hash, { replace: here });
        if (here) window.scrollTo(0, 0);
      };
      // On the same page, for a film or a part of a list, only the query changes.
      void leave(url.pathname === location.pathname ? null : load(target), go);
    };

    const asked = new Set<string>();
    const onPoint = (event: Event) => {
      const url = siteUrl(event.target);
      if (!navigator.onLine || !url || url.pathname === location.pathname || asked.has(url.pathname)) return;
      asked.add(url.pathname);
      const target = routeOf(routes, url);
      if (!target) return;
      load(target).catch(() => asked.delete(url.pathname));
    };

    document.addEventListener('click', onClick);
    document.addEventListener('pointerover', onPoint);
    document.addEventListener('focusin', onPoint);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('pointerover', onPoint);
      document.removeEventListener('focusin', onPoint);
    };
  }, [routes, navigate, boot, cache, mutate, leave]);

  return beam;
}

/** The address of the link around a target, if it is an ordinary link inside this site. */
function siteUrl(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download')) return null;
  const url = new URL(link.href, location.href);
  return url.origin === location.origin ? url : null;
}

/** The page of the site at an address, and its parameters. */
interface Found {
  route: SiteRoute;
  params: Record<string, string>;
}

/** A path of the API with the parameters of a page's address. */
function withParameters(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function routeOf(routes: SiteRoute[], url: URL): Found | null {
  for (const route of routes) {
    // Left to the server: addresses that are no page (media, documents, the admin area), and pages that need a policy
    // of their own.
    if (route.path === '*' || route.bare || route.framing || !url.pathname.startsWith(base)) continue;
    const match = matchPath(route.path, url.pathname.slice(base.length) || '/');
    if (match) return { route, params: match.params as Record<string, string> };
  }
  return null;
}
