/** The code of the confirmation page, loaded before a form is sent. */

import { texts } from '@/shared/api/generated/forms';
import { loadAgain } from '@/shared/load-again';
import { keepReceipt, type Receipt } from './receipt';

/** Waits between attempts to load it, in milliseconds; the last one is repeated. */
const PAUSES_MS = [5_000, 15_000, 30_000, 60_000];

/** How long a failed load is remembered, in milliseconds, so that it is not retried with each letter typed. */
const FAILURE_STANDS_MS = 5_000;

let loading: Promise<unknown> | null = null;

function load(): Promise<unknown> {
  loading ??= loadAgain(() => import('../pages/success-page')).catch((error) => {
    setTimeout(() => {
      loading = null;
    }, FAILURE_STANDS_MS);
    throw error;
  });
  return loading;
}

/** Preloads it; a failure is retried when it is needed. */
export function prepareSuccessPage(): void {
  load().catch(() => {});
}

/** Resolves once it is loaded. Failures are retried slowly, and `onWait` is called if there is a wait. */
async function successPage(onWait: () => void): Promise<void> {
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

/** Stores the receipt, and resolves when the confirmation page can be shown and the toast has been read. */
export async function leadToSuccessPage(receipt: Receipt, onWait: () => void): Promise<void> {
  keepReceipt(receipt);
  await Promise.all([successPage(onWait), new Promise((done) => setTimeout(done, texts.redirect_ms))]);
}
