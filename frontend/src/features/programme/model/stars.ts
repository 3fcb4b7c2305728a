import { useMemo, useSyncExternalStore } from 'react';
import { base } from '@/shared/archive';

/** Data stored on the visitor's device, and nowhere else. */
interface StoredStars {
  screenings: number[];
  /** The last release seen; 0 before the first visit. */
  version: number;
}

/** Each edition in the archive has its own key. */
const key = () => `programme${base}`;
const NOTHING: StoredStars = { screenings: [], version: 0 };

const listeners = new Set<() => void>();
/** The data in browsers without storage: they last as long as the page. */
let memory: string | null = null;

function read(): string | null {
  try {
    return localStorage.getItem(key()) ?? memory;
  } catch {
    return memory;
  }
}

function parse(text: string | null): StoredStars {
  try {
    const { screenings, version } = JSON.parse(text ?? '') as Partial<StoredStars>;
    return {
      screenings: Array.isArray(screenings) ? screenings.filter(Number.isSafeInteger) : [],
      version: Number(version) || 0,
    };
  } catch {
    return NOTHING;
  }
}

/** Merges changes into the stored data: another tab may have written in the meantime. */
function write(change: (stored: StoredStars) => Partial<StoredStars>): void {
  const stored = parse(read());
  memory = JSON.stringify({ ...stored, ...change(stored) });
  try {
    localStorage.setItem(key(), memory);
  } catch {
    // Private windows and full disks: the data last as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

interface Stars {
  stars: ReadonlySet<number>;
  /** The release whose changes have been seen. */
  version: number;
}

/** The starred screenings as currently stored. */
export function storedStars(text = read()): Stars {
  const { screenings, version } = parse(text);
  return { stars: new Set(screenings), version };
}

/** The starred screenings, in sync across tabs; none on the server and in the first render. */
export function useStars(): Stars {
  const text = useSyncExternalStore(subscribe, read, () => null);
  return useMemo(() => storedStars(text), [text]);
}

/** Stars or unstars a screening. */
export function toggleStar(id: number): void {
  write(({ screenings }) => ({
    screenings: screenings.includes(id) ? screenings.filter((one) => one !== id) : [...screenings, id],
  }));
}

/** Stars further screenings. */
export function addStars(ids: number[]): void {
  write(({ screenings }) => ({ screenings: [...new Set([...screenings, ...ids])] }));
}

/** Records that the changes up to a release have been seen. */
export function seeVersion(version: number): void {
  write(() => ({ version }));
}
