import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from '@/shared/router';

/** Goes to the top of every new page; a hash wins, and back and forward return to where the page was left. */
export function ScrollKeeper() {
  const { key, pathname, hash } = useLocation();
  const kind = useNavigationType();
  const left = useRef(new Map<string, number>());
  const shown = useRef({ key, pathname, hash });

  useEffect(() => {
    // Inside the site the place is ours to find; a reload is the browser's.
    const give = () => {
      history.scrollRestoration = 'auto';
    };
    history.scrollRestoration = 'manual';
    addEventListener('pagehide', give);
    return () => removeEventListener('pagehide', give);
  }, []);

  useEffect(() => {
    const remember = () => left.current.set(shown.current.key, window.scrollY);
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, []);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { key, pathname, hash };
    if (before.pathname === pathname) {
      if (before.hash !== hash) scrollToHash(hash);
      return;
    }
    const place = kind === 'POP' ? left.current.get(key) : undefined;
    window.scrollTo(0, place ?? 0);
    // The link that was followed is gone; the keyboard goes on from the top of the new page.
    document.getElementById('content')?.focus({ preventScroll: true });
    if (place === undefined && hash) return scrollWhenThere(hash);
  }, [key, pathname, hash, kind]);

  return null;
}

/** How long a place is waited for that comes with the page's data. */
const PATIENCE_MS = 5000;

/** Scrolls to the place that a hash names as soon as it is on the page; answers how to stop waiting. */
function scrollWhenThere(hash: string): (() => void) | undefined {
  if (scrollToHash(hash)) return;
  const observer = new MutationObserver(() => {
    if (scrollToHash(hash)) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), PATIENCE_MS);
  return () => observer.disconnect();
}

function scrollToHash(hash: string): boolean {
  const target = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  target?.scrollIntoView();
  return target !== null;
}
