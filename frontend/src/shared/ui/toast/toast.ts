import { useSyncExternalStore } from 'react';

/** What a toast tells: that something went well, or that it did not. */
export type ToastKind = 'success' | 'error';

/** A text that shows for a while. */
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

/** Where there is no room for several, a toast takes the place of those before it. */
const NARROW = '(max-width: 47.99rem)';

/** Shows a text at the top right for `duration` milliseconds; a click closes it at once. */
export function toast(kind: ToastKind, text: string, duration: number): void {
  last += 1;
  const id = last;
  const others = typeof matchMedia === 'function' && matchMedia(NARROW).matches ? [] : shown;
  set([...others, { id, kind, text }]);
  setTimeout(() => closeToast(id), duration);
}

/** Takes a toast away. */
export function closeToast(id: number): void {
  if (shown.some((toast) => toast.id === id)) set(shown.filter((toast) => toast.id !== id));
}

/** The toasts that show now, the oldest first. */
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
