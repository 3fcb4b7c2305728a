/** Resolves when the page has loaded and the browser is idle. */
export function pageIdle(): Promise<void> {
  return new Promise((done) => {
    const wait = () => {
      // Safari has no idle callback.
      if ('requestIdleCallback' in window) requestIdleCallback(() => done(), { timeout: 3000 });
      else setTimeout(done, 300);
    };
    if (document.readyState === 'complete') wait();
    else addEventListener('load', wait, { once: true });
  });
}
