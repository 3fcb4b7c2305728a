import { pageIdle } from '@/shared/page-idle';

/** Removes what the programme has left in a browser while its module was on: the service worker and its caches. */
async function forgetProgramme() {
  await pageIdle();
  const registration = await navigator.serviceWorker?.getRegistration();
  if (await registration?.unregister()) for (const name of await caches.keys()) await caches.delete(name);
}

void forgetProgramme();
