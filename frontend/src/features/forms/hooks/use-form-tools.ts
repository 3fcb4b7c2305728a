import { useSyncExternalStore } from 'react';
import { pageIdle } from '@/shared/page-idle';
import { type FormTools, loadedTools, loadTools, onTools } from '../model/load-tools';

/** The code that checks, uploads and sends; null until it is there. It comes by itself when the page is idle. */
export function useFormTools(): FormTools | null {
  return useSyncExternalStore(subscribe, loadedTools, () => null);
}

function subscribe(listener: () => void): () => void {
  void pageIdle().then(loadTools);
  return onTools(listener);
}
