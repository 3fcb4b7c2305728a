/** The URL of the code that failed to load, as Chromium and Firefox name it in their errors. */
const ADDRESS = /https?:\/\/\S+\.js/;

/**
 * Loads code, and after a failure requests it once more under another URL: browsers may remember for the document's
 * lifetime that a module failed (the HTML standard says so), and fail every later attempt from that memory.
 */
export async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const address = ADDRESS.exec(String(error))?.[0];
    if (!address) throw error;
    return (await import(/* @vite-ignore */ `${address}?again=${Date.now()}`)) as T;
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
