/** The code of the page that thanks, which is there before a form is sent. */

import { texts } from '@/shared/api/generated/forms';
import { loadAgain } from '@/shared/load-again';
import { keepReceipt, type Receipt } from './receipt';

/** Between two attempts to load it, in milliseconds; the last one holds for all that follow. */
const PAUSES_MS = [5_000, 15_000, 30_000, 60_000];

/** For so long a failed load stands, in milliseconds: who goes on typing does not ask again with each letter. */
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

/** Fetches it beforehand; a failure is tried again when it is needed. */
export function prepareSuccessPage(): void {
  load().catch(() => {});
}

/** Resolves once it is there. It is tried again slowly, and `onWait` hears when there is something to wait for. */
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

/** Keeps the receipt, and resolves when the page that thanks can be shown and the toast has been read. */
export async function leadToSuccessPage(receipt: Receipt, onWait: () => void): Promise<void> {
  keepReceipt(receipt);
  await Promise.all([successPage(onWait), new Promise((done) => setTimeout(done, texts.redirect_ms))]);
}
