import { useSyncExternalStore } from 'react';

const KEY = 'programme:starred';
const NONE: ReadonlySet<number> = new Set();

/** What is shown of the last text that was read. */
let read: { text: string; ids: ReadonlySet<number> } = { text: '', ids: NONE };
const listeners = new Set<() => void>();

/** Where the browser keeps nothing, the stars last as long as the page. */
let unsaved: string | null = null;

function stored(): string {
  if (unsaved !== null) return unsaved;
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

function snapshot(): ReadonlySet<number> {
  const text = stored();
  if (text !== read.text) {
    const ids = text
      .split(',')
      .map(Number)
      .filter((id) => Number.isInteger(id) && id > 0);
    read = { text, ids: new Set(ids) };
  }
  return read.ids;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** The screenings that a visitor starred, on this device alone, and what stars one or takes its star away. */
export function useStarred(): { starred: ReadonlySet<number>; toggle: (id: number) => void } {
  const starred = useSyncExternalStore(subscribe, snapshot, () => NONE);
  const toggle = (id: number) => {
    const ids = new Set(snapshot());
    if (!ids.delete(id)) ids.add(id);
    const text = [...ids].join(',');
    try {
      localStorage.setItem(KEY, text);
    } catch {
      unsaved = text;
    }
    for (const listener of listeners) listener();
  };
  return { starred, toggle };
}
