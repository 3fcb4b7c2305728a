import { useSyncExternalStore } from 'react';

/** Kind of a toast: success or failure. */
export type ToastKind = 'success' | 'error';

/** A text that is shown for a while. */
interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

let shown: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(toasts: readonly Toast[]): void {
  shown = toasts;
  for (const listener of listeners) listener();
}

/** If there is no room for several, a toast replaces the previous ones. */
const NARROW = '(max-width: 47.99rem)';

/** Shows a text at the top right for `duration` milliseconds; a click closes it at once. */
export function toast(kind: ToastKind, text: string, duration: number): void {
  last += 1;
  const id = last;
  const others = typeof matchMedia === 'function' && matchMedia(NARROW).matches ? [] : shown;
  set([...others, { id, kind, text }]);
  setTimeout(() => closeToast(id), duration);
}

/** Removes a toast. */
export function closeToast(id: number): void {
  if (shown.some((toast) => toast.id === id)) set(shown.filter((toast) => toast.id !== id));
}

/** The current toasts, oldest first. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
    () => shown,
  );
}
