import styles from './toast.module.css';

/** What a toast tells: that something went well, or that it did not. */
export type ToastKind = 'success' | 'error';

/** The places where toasts appear, one for each kind: a screen reader speaks what is put into a place it knows. */
let places: Record<ToastKind, HTMLElement> | null = null;

/**
 * Makes room for toasts beside the application, so that they outlive the page that shows them. Called when a page that
 * may show one appears.
 */
export function prepareToasts(): void {
  if (places?.error.isConnected) return;
  const stack = document.createElement('div');
  stack.className = styles.stack ?? '';
  places = { error: place('alert'), success: place('status') };
  stack.append(places.error, places.success);
  document.body.append(stack);
}

function place(role: string): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('role', role);
  element.className = styles.place ?? '';
  return element;
}

/** Shows a text at the top right for `duration` milliseconds; a click closes it at once. */
export function toast(kind: ToastKind, text: string, duration: number): void {
  prepareToasts();
  const element = document.createElement('p');
  element.className = styles.toast ?? '';
  element.dataset.kind = kind;
  element.textContent = text;
  const close = () => element.remove();
  element.addEventListener('click', close);
  setTimeout(close, duration);
  places?.[kind].append(element);
}
