import type { Programme } from '@/shared/api';
import { isPast } from '@/shared/archive';
import { pageIdle } from '@/shared/page-idle';
import { storedStars } from './stars';
import { filmPath } from './times';

/** Files to cache in addition to the programme: the pages and posters of starred films. */
export function addressesToKeep({ films, screenings }: Programme, stars: ReadonlySet<number>): string[] {
  const starred = new Set(screenings.flatMap(({ id, films }) => (stars.has(id) ? films : [])));
  return films.filter(({ id }) => starred.has(id)).flatMap((film) => [filmPath(film), film.poster ?? []].flat());
}

let waiting = false;

/** Makes the service worker cache the programme, when the browser is idle. */
export async function keepOnDevice(programme: Programme): Promise<void> {
  // Nobody needs the archive in a hall. Plain http has no workers, and the files of a development server change with
  // every save.
  if (waiting || isPast || !import.meta.env.PROD || !navigator.serviceWorker) return;
  waiting = true;
  try {
    await pageIdle();
    // The pages of films need it.
    await import('../components/film-screenings');
    await navigator.serviceWorker.register('/service-worker.js');
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const assets = loaded.filter((address) => address.startsWith(`${location.origin}/assets/`));
    active?.postMessage({ keep: [...addressesToKeep(programme, storedStars().stars), ...assets] });
  } catch {
    // Private windows of some browsers have no workers: then the programme needs a network.
  } finally {
    waiting = false;
  }
}
