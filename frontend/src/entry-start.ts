/**
 * Fetches the page's scripts once its first view is painted: until then styles, typefaces and pictures have the
 * connection to themselves. The document names the files in the element that loads this one; the last of them starts
 * the page.
 */
const loader = document.querySelector<HTMLScriptElement>('script[data-scripts]');
const files = loader?.dataset.scripts?.split(' ') ?? [];
// The page belongs to this address, wherever Back leads before its scripts are loaded.
loader?.setAttribute('data-address', location.pathname + location.search);

/** Elements that `base.css` lays out only when they are near, with their content. */
const UNSEEN = '[data-first-view] ~ *, main > :has(~ dialog[open]) li';

/**
 * Lays out the parts outside the window, piece by piece: all at once would keep a slow phone busy for half a second.
 */
async function layOutUnseen(): Promise<void> {
  const unseen = document.querySelectorAll<HTMLElement>(UNSEEN);
  for (const element of unseen) {
    if (getComputedStyle(element).contentVisibility === 'visible') continue;
    element.dataset.laidOut = '';
    // Reading it forces the layout.
    element.getBoundingClientRect();
    await new Promise((done) => setTimeout(done));
  }
  document.documentElement.removeAttribute('data-unpainted');
  for (const element of unseen) delete element.dataset.laidOut;
}

function start() {
  void layOutUnseen();
  for (const href of files)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  const entry = files.at(-1);
  if (entry) void import(/* @vite-ignore */ entry);
  const edit = loader?.dataset.edit;
  if (edit && document.cookie.includes('festival-editor=')) void import(/* @vite-ignore */ edit);
}

// A film that the server sent open is closed by its button before any script; by Escape only with this one.
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.querySelector<HTMLDialogElement>('dialog[open]:not(:modal)')?.close();
});

/** How long scripts wait for the first visible picture, in milliseconds. */
const PICTURE_WAITS_MS = 2_000;

/** Resolves when the first visible picture has loaded or failed. */
async function firstPicture(): Promise<void> {
  const picture = document.querySelector<HTMLImageElement>('img[fetchpriority="high"]');
  if (!picture || picture.complete) return;
  await new Promise((done) => {
    picture.addEventListener('load', done, { once: true });
    picture.addEventListener('error', done, { once: true });
    setTimeout(done, PICTURE_WAITS_MS);
  });
}

// Where the browser scrolls down to where the page was, or to a heading, everything above has to be laid out.
const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
if (location.hash || visit?.type !== 'navigate') document.documentElement.removeAttribute('data-unpainted');

// A frame is requested long before it is visible: only the paint's performance entry appears when it is.
if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes('paint')) start();
else {
  const observer = new PerformanceObserver(async () => {
    observer.disconnect();
    await firstPicture();
    start();
  });
  observer.observe({ type: 'paint', buffered: true });
}
