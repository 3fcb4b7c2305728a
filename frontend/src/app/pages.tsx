import { type ComponentType, createElement, use } from 'react';
import type { PageRoute } from '@/shared/feature';
import { isGone, loadAgain } from '@/shared/load-again';

/** The code of a page could not be loaded: the connection broke, or a newer version of the site has been deployed. */
export class PageCodeError extends Error {
  constructor(
    cause: unknown,
    /** Whether the server no longer has this code: only the page's document names the code that it has now. */
    readonly isGone: boolean,
  ) {
    super('The code of this page could not be loaded.', { cause });
    this.name = 'PageCodeError';
  }
}

/** How long a failed load is remembered, in milliseconds: rendering the page again does not repeat the request. */
const FAILURE_STANDS_MS = 5_000;

const loading = new WeakMap<PageRoute['load'], Promise<ComponentType>>();

/** Loads a page's code, once; after a failure it may be retried, but not at once. */
export function loadPage(route: PageRoute): Promise<ComponentType> {
  const known = loading.get(route.load);
  if (known) return known;
  const promise = loadAgain(route.load).then(
    (module) => {
      // `use` reads this: a loaded page is rendered at once, without waiting for a promise.
      Object.assign(promise, { status: 'fulfilled', value: module.default });
      return module.default;
    },
    async (cause) => {
      throw new PageCodeError(cause, await isGone(cause));
    },
  );
  promise.catch(() => setTimeout(() => loading.delete(route.load), FAILURE_STANDS_MS));
  loading.set(route.load, promise);
  return promise;
}

/** Shows a page; one that is loaded already (the first page, a prefetched one) appears at once. */
export function RoutePage({ route }: { route: PageRoute }) {
  return createElement(use(loadPage(route)));
}
