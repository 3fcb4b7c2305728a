/** The address of the code that did not come, as Chromium and Firefox name it in their errors. */
const ADDRESS = /https?:\/\/\S+\.js/;

/**
 * Loads code, and where it does not come asks for it once more under another address: browsers may remember for as long as
 * the document lives that a module failed (the HTML standard says so), and answer every later attempt from that memory.
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
