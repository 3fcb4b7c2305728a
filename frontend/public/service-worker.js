/**
 * Keeps the programme and the pages of starred films on the device, for halls without a network (docs/decisions/0055).
 *
 * Nothing is stored of what passes through: only `keep` stores, and only what `keyOf` knows.
 */

/** Another name, and the caches before it are deleted. */
const CACHE = 'programme-1';
const PROGRAMME = '/programme';
const MOST_FILMS = 60;
const MOST_BYTES = 15_000_000;
/** How long a page waits for the network before the cached one is shown. */
const PATIENCE_MS = 3_000;
/** When the page of a film is requested anew. */
const OLD_MS = 24 * 3_600_000;

/** Under which address something is cached; null for everything that never is. */
function keyOf(address) {
  const { origin, pathname, searchParams } = new URL(address, location.origin);
  if (origin !== location.origin) return null;
  if (pathname === PROGRAMME || /^\/assets\/[\w.-]+$/.test(pathname)) return pathname;
  // One width for each poster.
  if (/^\/media\/[\w./-]+$/.test(pathname)) return `${pathname}?w=480`;
  const film = searchParams.get('film') ?? '';
  return /^\/films\/\d+$/.test(pathname) && /^\d+$/.test(film) ? `${pathname}?film=${film}` : null;
}

const isDocument = (key) => key === PROGRAMME || key.startsWith('/films/');
const cached = (key) => caches.match(key, { ignoreVary: true });

addEventListener('install', () => skipWaiting());

addEventListener('activate', (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(old());
});

addEventListener('fetch', (event) => {
  const answer = answerTo(event.request);
  if (answer) event.respondWith(answer);
});

/** The answer to a request, or null where the browser does without this worker. */
function answerTo(request) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/admin')) return null;
  const key = keyOf(request.url);
  if (request.mode === 'navigate') {
    if (pathname === '/') return fetch(request).catch(startPage);
    return key && isDocument(key) ? documentFor(request, key) : null;
  }
  if (key?.startsWith('/assets/')) return cached(key).then((file) => file ?? fetch(request));
  if (key && request.destination === 'image')
    return fetch(request).catch(async () => (await cached(key)) ?? Response.error());
  // Who asks with `no-cache` wants to know what the server says now.
  if (request.destination === '' && request.cache !== 'no-cache')
    return fetch(request).catch(() => fromDocuments(pathname));
  return null;
}

/** The network's page, or the cached one if the network is away, slow or broken. */
async function documentFor(request, key) {
  const network = fetch(request);
  const page = await cached(key);
  if (!page) return network;
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS, null));
  const answer = await Promise.race([network.catch(() => null), late]);
  return answer && answer.status < 500 ? answer : page;
}

/** An installed site begins at the home page, which is not cached. */
async function startPage() {
  return (await cached(PROGRAMME)) ? Response.redirect(PROGRAMME) : Response.error();
}

/** What the API said when a page was made is in the page. */
async function fromDocuments(pathname) {
  const cache = await caches.open(CACHE);
  for (const request of await cache.keys()) {
    if (!isDocument(keyOf(request.url))) continue;
    const html = await (await cache.match(request)).text();
    const { api, data } = JSON.parse(/id="boot-data">([^<]*)</.exec(html)?.[1] ?? '{"data":{}}');
    const path = pathname.slice(api?.length);
    if (path in data && pathname === api + path) return Response.json(data[path]);
  }
  return Response.error();
}

let work = Promise.resolve();

// The programme's page says what it needs without a network; one message is worked through after the other.
addEventListener('message', (event) => {
  const addresses = event.data?.keep;
  if (!Array.isArray(addresses)) return;
  work = work.then(() => keep(addresses)).catch(() => {});
  event.waitUntil(work);
});

/** Keeps the programme and what is at `addresses`, and deletes everything else. */
async function keep(addresses) {
  const cache = await caches.open(CACHE);
  const keys = [...new Set([PROGRAMME, ...addresses.map(keyOf)])].filter((key) => key !== null);
  const stays = new Set();
  let room = MOST_BYTES;

  const store = async (key, response, isNew) => {
    const { size } = await response.clone().blob();
    if (size > room) return false;
    if (isNew) await cache.put(key, response);
    room -= size;
    stays.add(key);
    return true;
  };

  const keepFile = async (key) => {
    if (stays.has(key)) return true;
    const known = await cache.match(key, { ignoreVary: true });
    if (known) return store(key, known, false);
    const file = await fetch(key).catch(() => null);
    return isPublic(file) && store(key, file, true);
  };

  // A page is there with all of its files, or as it was before.
  const keepPage = async (key, page) => {
    const html = (await page.text()).replace(/^(<!doctype html>\s*<html)(?! data-cached)/, '$1 data-cached');
    for (const [file] of html.matchAll(/\/assets\/[\w.-]+/g)) if (!(await keepFile(file))) return false;
    const headers = new Headers(page.headers);
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary']) headers.delete(name);
    return store(key, new Response(html, { headers }), true);
  };

  for (const key of keys.filter(isDocument).slice(0, MOST_FILMS + 1)) {
    const known = await cache.match(key);
    const isOld = !known || key === PROGRAMME || Date.now() - Date.parse(known.headers.get('date')) > OLD_MS;
    const page = isOld ? await fetch(key, { cache: 'no-cache' }).catch(() => null) : null;
    if (page?.status === 404) continue;
    if (!(isPublic(page) && (await keepPage(key, page))) && known) await keepPage(key, known);
  }
  const files = keys.filter((key) => !isDocument(key));
  for (const key of files.filter((key) => key.startsWith('/assets/'))) await keepFile(key);
  for (const key of files.filter((key) => key.startsWith('/media/')).slice(0, MOST_FILMS)) await keepFile(key);
  for (const request of await cache.keys()) if (!stays.has(keyOf(request.url))) await cache.delete(request);
}

/** Whether everybody gets this answer. */
function isPublic(answer) {
  const isShared = !/no-store|private/.test(answer?.headers.get('cache-control') ?? '');
  return answer?.status === 200 && answer.type === 'basic' && !answer.redirected && isShared;
}
