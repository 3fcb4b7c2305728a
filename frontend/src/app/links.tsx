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
 * Makes plain links quick: a click on a link to a page of the site shows it without loading the document anew, and
 * pointing at one fetches its code and data. Links inside texts that organisers wrote work the same way.
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
        // The page then begins with it.
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
      // The browser itself goes to a place on the same page.
      if (url.hash && url.pathname === location.pathname && url.search === location.search) return;
      event.preventDefault();
      const here = url.href === location.href;
      const go = () => {
        navigate(url.pathname.slice(base.length) + url.search + url.hash, { replace: here });
        if (here) window.scrollTo(0, 0);
      };
      // On the same page, a film or a part of a list, nothing changes but what is asked for.
      if (url.pathname === location.pathname) go();
      else void leave(load(target), go);
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

/** The address of the link around a target, where the link is an ordinary one inside this site. */
function siteUrl(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download')) return null;
  const url = new URL(link.href, location.href);
  return url.origin === location.origin ? url : null;
}

/** A page of the site, and the parameters that an address gives it. */
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
    // What no page answers (media, documents, the admin area) is the server's, and what needs a policy of its own.
    if (route.path === '*' || route.bare || route.framing || !url.pathname.startsWith(base)) continue;
    const match = matchPath(route.path, url.pathname.slice(base.length) || '/');
    if (match) return { route, params: match.params as Record<string, string> };
  }
  return null;
}
