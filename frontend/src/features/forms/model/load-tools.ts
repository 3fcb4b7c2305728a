/** The code that checks, uploads and sends a form, loaded when the browser is idle. */

import { useSyncExternalStore } from 'react';
import { loadAgain } from '@/shared/load-again';
import { pageIdle } from '@/shared/page-idle';

export type FormTools = typeof import('./form-tools');

/** Wait before another attempt to load it, in milliseconds; it ends when the connection returns. */
const PAUSE_MS = 5_000;

let tools: FormTools | null = null;
let loading: Promise<FormTools> | null = null;
const listeners = new Set<() => void>();

/** Resolves to the tools once they are loaded: without a connection the load is retried until it succeeds. */
export function loadTools(): Promise<FormTools> {
  loading ??= load();
  return loading;
}

async function load(): Promise<FormTools> {
  for (;;) {
    try {
      tools = await loadAgain(() => import('./form-tools'));
      for (const listener of listeners) listener();
      return tools;
    } catch {
      await new Promise<void>((done) => {
        const end = () => {
          clearTimeout(timer);
          removeEventListener('online', end);
          done();
        };
        const timer = setTimeout(end, PAUSE_MS);
        addEventListener('online', end);
      });
    }
  }
}

/** The code that checks, uploads and sends; null until it is loaded, which happens when the page is idle. */
export function useFormTools(): FormTools | null {
  return useSyncExternalStore(
    subscribe,
    () => tools,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  void pageIdle().then(loadTools);
  listeners.add(listener);
  return () => listeners.delete(listener);
}
