import { useEffect } from 'react';
import { preload } from 'swr';
import { useFirstPage } from '@/shared/api/boot';
import { fetchJson } from '@/shared/api/client';
import { matchPath, useNavigate } from '@/shared/router';
import { loadPage } from './pages';
import type { SiteRoute } from './routes';

/**
 * Makes plain links quick: a click on a link to a page of the site shows it without loading the document anew, and
 * pointing at one fetches its code and data. Links inside texts that organisers wrote work the same way.
 */
export function SiteLinks({ routes }: { routes: SiteRoute[] }) {
  const navigate = useNavigate();
  const { boot } = useFirstPage();

  useEffect(() => {
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
      if (!url || !routeOf(routes, url)) return;
      // The browser itself goes to a place on the same page.
      if (url.hash && url.pathname === location.pathname && url.search === location.search) return;
      event.preventDefault();
      const here = url.href === location.href;
      navigate(url.pathname + url.search + url.hash, { replace: here });
      if (here) window.scrollTo(0, 0);
    };

    const asked = new Set<string>();
    const onPoint = (event: Event) => {
      const url = siteUrl(event.target);
      if (!url || url.pathname === location.pathname || asked.has(url.pathname)) return;
      asked.add(url.pathname);
      const found = routeOf(routes, url);
      if (!found) return;
      loadPage(found.route).catch(() => asked.delete(url.pathname));
      for (const key of found.route.data?.(found.params) ?? []) {
        if (!(key in boot.data)) preload(key, (path: string) => fetchJson(boot.api, path)).catch(() => {});
      }
    };

    document.addEventListener('click', onClick);
    document.addEventListener('pointerover', onPoint);
    document.addEventListener('focusin', onPoint);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('pointerover', onPoint);
      document.removeEventListener('focusin', onPoint);
    };
  }, [routes, navigate, boot]);

  return null;
}

/** The address of the link around a target, where the link is an ordinary one inside this site. */
function siteUrl(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download')) return null;
  const url = new URL(link.href, location.href);
  return url.origin === location.origin ? url : null;
}

function routeOf(routes: SiteRoute[], url: URL) {
  for (const route of routes) {
    // What no page answers (media, documents, the admin area) is the server's, and what needs a policy of its own.
    if (route.path === '*' || route.bare || route.framing) continue;
    const match = matchPath(route.path, url.pathname);
    if (match) return { route, params: match.params as Record<string, string> };
  }
  return null;
}
