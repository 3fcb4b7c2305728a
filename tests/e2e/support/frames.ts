import type { Page } from '@playwright/test';

/** Saves the real requestAnimationFrame; call it before installing a fake clock. */
export async function keepAnimationFrames(page: Page): Promise<void> {
  await page.addInitScript(() => Object.assign(window, { ownFrame: requestAnimationFrame.bind(window) }));
}

/**
 * Waits until the page has reacted to an event: several real animation frames, and the tasks queued between them. The
 * fake clock does not advance.
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

/**
 * Stops the page's clock from its first document on: the page repeats no failed call by itself, however long the test
 * takes, so what loads afterwards was asked for by a click.
 */
export async function stopClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1000);
}
