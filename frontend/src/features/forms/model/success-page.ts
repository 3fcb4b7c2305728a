/** The code of the page that thanks, which is there before a form is sent. */

import { loadAgain } from '@/shared/load-again';

/** Between two attempts to load it, in milliseconds; the last one holds for all that follow. */
const PAUSES_MS = [5_000, 15_000, 30_000, 60_000];

let loading: Promise<unknown> | null = null;

function load(): Promise<unknown> {
  loading ??= loadAgain(() => import('../pages/success-page')).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Fetches it beforehand; a failure is tried again when it is needed. */
export function prepareSuccessPage(): void {
  load().catch(() => {});
}

/** Resolves once it is there. It is tried again slowly, and `onWait` hears when there is something to wait for. */
export async function successPage(onWait: () => void): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await load();
      return;
    } catch {
      onWait();
      const pause = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)];
      await new Promise((done) => setTimeout(done, pause));
    }
  }
}
