/** The code that checks, uploads and sends what a form holds, loaded when the browser has nothing else to do. */

import { useSyncExternalStore } from 'react';
import { loadAgain } from '@/shared/load-again';
import { pageIdle } from '@/shared/page-idle';

export type FormTools = typeof import('./form-tools');

/** Before another attempt to load it, in milliseconds; the connection's return ends the wait. */
const PAUSE_MS = 5_000;

let tools: FormTools | null = null;
let loading: Promise<FormTools> | null = null;
const listeners = new Set<() => void>();

/** The tools, as soon as they are there: without a connection they are tried again and again. */
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

/** The code that checks, uploads and sends; null until it is there. It comes by itself when the page is idle. */
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
