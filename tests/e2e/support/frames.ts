import type { Page } from '@playwright/test';

/** Keeps the browser's own frames at hand; call it before the page's clock is taken over. */
export async function keepFrames(page: Page): Promise<void> {
  await page.addInitScript(() => Object.assign(window, { ownFrame: requestAnimationFrame.bind(window) }));
}

/**
 * Waits until the page has made of an event what it will: frames that the browser draws, however long that takes, and
 * what scripts had waiting between them. No clock moves.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { ownFrame } = window as unknown as { ownFrame: typeof requestAnimationFrame };
    for (let frames = 0; frames < 4; frames++) {
      await new Promise((done) => ownFrame(done));
      await new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(null);
      });
    }
  });
}
