import { type ComponentType, createElement, use } from 'react';
import type { PageRoute } from '@/shared/feature';

const loading = new WeakMap<PageRoute, Promise<ComponentType>>();

/** Loads a page's code, once. */
export function loadPage(route: PageRoute): Promise<ComponentType> {
  const known = loading.get(route);
  if (known) return known;
  const promise = route.load().then((module) => {
    // What `use` looks for: with it a page that is there shows at once, without a promise's turn.
    Object.assign(promise, { status: 'fulfilled', value: module.default });
    return module.default;
  });
  // A failed load may be tried again.
  promise.catch(() => loading.delete(route));
  loading.set(route, promise);
  return promise;
}

/** Shows a page; what is loaded already (the first page, a prefetched one) shows at once. */
export function RoutePage({ route }: { route: PageRoute }) {
  return createElement(use(loadPage(route)));
}
