import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import type { Programme } from '@/shared/api';
import { useFirstPage } from '@/shared/api/boot';

/** How often an offline page checks for a network: a server that comes back sends no event. */
const LOOK_AGAIN_MS = 30_000;

/** Whether there is no network. As soon as there is one, the programme is reloaded. */
export function useOffline(): boolean {
  const { api } = useFirstPage().boot;
  const { mutate } = useSWRConfig();
  const [offline, setOffline] = useState(false);

  useEffect(() => {
    let ended = false;
    // The service worker marks pages from its cache.
    let lacks = 'cached' in document.documentElement.dataset;
    const look = async () => {
      if (!navigator.onLine) lacks = true;
      if (lacks) lacks = !(await renew());
      if (!ended) setOffline(lacks);
    };
    const renew = async () => {
      try {
        const answer = await fetch(`${api}/programme/`, { cache: 'no-cache' });
        if (!answer.ok) return false;
        await mutate('/programme/', (await answer.json()) as Programme, { revalidate: false });
        delete document.documentElement.dataset.cached;
        return true;
      } catch {
        return false;
      }
    };
    const onSeen = () => {
      if (!document.hidden && lacks) void look();
    };
    const onChange = () => void look();
    onChange();
    const timer = setInterval(onSeen, LOOK_AGAIN_MS);
    addEventListener('online', onChange);
    addEventListener('offline', onChange);
    document.addEventListener('visibilitychange', onSeen);
    return () => {
      ended = true;
      clearInterval(timer);
      removeEventListener('online', onChange);
      removeEventListener('offline', onChange);
      document.removeEventListener('visibilitychange', onSeen);
    };
  }, [api, mutate]);

  return offline;
}
