import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from '@/shared/router';

/**
 * Scrolls to the top of every new page; a hash takes precedence, and Back and Forward return to where the page was
 * left.
 */
export function ScrollKeeper() {
  const { key, pathname, search, hash } = useLocation();
  const kind = useNavigationType();
  // The first entry of every document has the same key.
  const entry = `${key} ${pathname}${search}`;
  const [left] = useState(readPlaces);
  const shown = useRef<{ entry: string; pathname: string; hash: string } | null>(null);
  const release = useRef<(() => void) | null>(null);

  useEffect(() => {
    // Inside the site we restore the position; after a reload the browser does.
    const leave = () => {
      history.scrollRestoration = 'auto';
      writePlaces(left);
    };
    history.scrollRestoration = 'manual';
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, [left]);

  useEffect(() => {
    const remember = () => {
      // How far a page that is still growing can be scrolled is not the position that the reader wants.
      if (release.current === null && shown.current) left.set(shown.current.entry, window.scrollY);
    };
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [left]);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { entry, pathname, hash };
    if (before?.pathname === pathname) {
      if (before.hash !== hash) scrollToHash(hash);
      return;
    }
    // A document is loaded for an entry that was left inside the site: there the browser leaves the position to us.
    const returns = before ? kind === 'POP' : history.scrollRestoration === 'manual';
    const place = returns ? left.get(entry) : undefined;
    if (before) {
      // The link that was followed is gone; the keyboard continues from the top of the new page.
      document.getElementById('content')?.focus({ preventScroll: true });
      if (place === undefined) window.scrollTo(0, 0);
    }
    if (place === undefined) return before && hash ? scrollWhenThere(hash) : undefined;
    const end = stayAt(place, () => {
      release.current = null;
    });
    release.current = end;
    return end;
  }, [entry, pathname, hash, kind, left]);

  return null;
}

/** Scroll positions of the tab's pages, by history entry; stored for the next document. */
const STORED = 'places';
/** Number of entries stored: the newest. */
const MAX_STORED = 100;

function readPlaces(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORED) ?? '[]'));
  } catch {
    return new Map();
  }
}

function writePlaces(places: Map<string, number>) {
  try {
    sessionStorage.setItem(STORED, JSON.stringify([...places].slice(-MAX_STORED)));
  } catch {
    // Without storage, a reloaded page starts at the top.
  }
}

/** Events by which readers scroll by themselves. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/**
 * Scrolls to a position and stays there while the page's parts load, until the reader scrolls or the time is up. Calls
 * `onEnd` once; returns a function that ends it.
 */
function stayAt(place: number, onEnd: () => void): () => void {
  const { style } = document.documentElement;
  // As close as the page was long enough for.
  let reached = 0;
  const stand = () => {
    window.scrollTo({ top: place, behavior: 'instant' });
    reached = window.scrollY;
  };
  // Scroll anchoring would follow the footer as new content pushes it down, and that would look like a reader's
  // scrolling.
  style.overflowAnchor = 'none';
  stand();
  const observer = new ResizeObserver(stand);
  // A scroll bar is moved without any of these events: then the page is long enough and scrolled elsewhere. Our own
  // scrolling is reported late, when the page may have grown already.
  const onScroll = () => {
    const reach = document.documentElement.scrollHeight - window.innerHeight;
    if (reach >= place && [place, reached].every((top) => Math.abs(window.scrollY - top) > 2)) end();
  };
  const end = () => {
    style.overflowAnchor = '';
    observer.disconnect();
    clearTimeout(timer);
    removeEventListener('scroll', onScroll);
    for (const move of MOVES) removeEventListener(move, end, true);
    onEnd();
  };
  const timer = setTimeout(end, PATIENCE_MS);
  for (const move of MOVES) addEventListener(move, end, { capture: true, passive: true });
  addEventListener('scroll', onScroll, { passive: true });
  observer.observe(document.body);
  return end;
}

/** How long to wait for an anchor that loads with the page's data, in milliseconds. */
const PATIENCE_MS = 5000;

/** Scrolls to the element that a hash names as soon as it is on the page; returns a function that stops waiting. */
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
