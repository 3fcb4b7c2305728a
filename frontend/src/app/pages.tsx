import { type ComponentType, createElement, use } from 'react';
import type { PageRoute } from '@/shared/feature';
import { loadAgain } from '@/shared/load-again';

/** The code of a page did not come: the connection broke, or there is a newer site by now. */
export class PageCodeError extends Error {
  constructor(cause: unknown) {
    super('The code of this page could not be loaded.', { cause });
    this.name = 'PageCodeError';
  }
}

/** For so long a failed load stands, in milliseconds: who draws the page again does not ask again. */
const FAILURE_STANDS_MS = 5_000;

const loading = new WeakMap<PageRoute['load'], Promise<ComponentType>>();

/** Loads a page's code, once; after a failure it may be tried again, but not at once. */
export function loadPage(route: PageRoute): Promise<ComponentType> {
  const known = loading.get(route.load);
  if (known) return known;
  const promise = loadAgain(route.load).then(
    (module) => {
      // What `use` looks for: with it a page that is there shows at once, without a promise's turn.
      Object.assign(promise, { status: 'fulfilled', value: module.default });
      return module.default;
    },
    (cause) => {
      throw new PageCodeError(cause);
    },
  );
  promise.catch(() => setTimeout(() => loading.delete(route.load), FAILURE_STANDS_MS));
  loading.set(route.load, promise);
  return promise;
}

/** Shows a page; what is loaded already (the first page, a prefetched one) shows at once. */
export function RoutePage({ route }: { route: PageRoute }) {
  return createElement(use(loadPage(route)));
}
