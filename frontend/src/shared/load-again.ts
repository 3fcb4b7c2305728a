/** The URL of a file that failed to load, as Chromium and Firefox name it in their errors. */
const ADDRESS = /https?:\/\/\S+\.js/;

/** Chromium names the module that was requested. Firefox names the file that failed, which may be one that it imports. */
const REQUESTED = /^TypeError: Failed to fetch dynamically imported module: (\S+\.js)/;

/**
 * Loads code, and after a failure once more. Chromium may remember for the document's lifetime that a module failed (the
 * HTML standard allows it) and fail every later attempt from that memory: there it is requested under another URL.
 */
export async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const address = REQUESTED.exec(String(error))?.[1];
    return address ? ((await import(/* @vite-ignore */ `${address}?again=${Date.now()}`)) as T) : load();
  }
}

/**
 * Whether code that failed to load no longer exists, as after an upgrade of the site: the server answers, but not with
 * the code. WebKit does not name the URL; there an answer for the page suffices.
 */
export async function isGone(error: unknown): Promise<boolean> {
  const address = ADDRESS.exec(String(error))?.[0];
  try {
    const { ok, status } = await fetch(address ?? location.href, { method: 'HEAD', cache: 'no-cache' });
    return address ? status === 404 : ok;
  } catch {
    return false;
  }
}
