import { lazy, Suspense } from 'react';
import { useApi } from './api';
import type { Site } from './api/generated/site';
import { besideFilms } from './beside-films';
import { useHydrated } from './use-hydrated';

/** What does not come, because there is no network, is not there. */
const parts = besideFilms.map(({ name, besideFilm: load }) => ({
  name,
  Part: lazy(async () => (await load?.().catch(() => null)) ?? { default: () => null }),
}));

/**
 * What other features know of a film. It comes once the page is alive, so it stands where nothing that is seen moves
 * when it comes.
 */
export function BesideFilm({ id }: { id: number }) {
  const modules = useApi<Site>('/site/').data?.modules;
  if (!useHydrated()) return null;
  return <Suspense>{parts.map(({ name, Part }) => modules?.[name] && <Part key={name} id={id} />)}</Suspense>;
}
