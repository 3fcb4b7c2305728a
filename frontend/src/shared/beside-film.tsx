import { lazy, Suspense } from 'react';
import { useApi } from './api';
import type { Site } from './api/generated/api';
import { besideFilms } from './beside-films';
import { useHydrated } from './use-hydrated';

/** Parts that cannot be loaded without a network are left out. */
const parts = besideFilms.map(({ name, besideFilm: load }) => ({
  name,
  Part: lazy(async () => (await load?.().catch(() => null)) ?? { default: () => null }),
}));

/**
 * Other features' information about a film. It is rendered after hydration, at a position where nothing visible moves.
 */
export function BesideFilm({ id }: { id: number }) {
  const modules = useApi<Site>('/site/').data?.modules;
  if (!useHydrated()) return null;
  return <Suspense>{parts.map(({ name, Part }) => modules?.[name] && <Part key={name} id={id} />)}</Suspense>;
}
