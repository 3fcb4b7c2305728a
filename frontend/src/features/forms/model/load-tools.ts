/** The code that checks, uploads and sends what a form holds, loaded when the browser has nothing else to do. */

import { loadAgain } from '@/shared/load-again';

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

/** The tools that are there; null: not yet. */
export function loadedTools(): FormTools | null {
  return tools;
}

/** Tells when they come; answers how to stop. */
export function onTools(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
