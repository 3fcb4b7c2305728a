import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app/app';
import { features } from './app/features';
import { loadPage } from './app/pages';
import { siteRoutes } from './app/routes';
import { readBoot } from './shared/api/boot';
import type { Site } from './shared/api/types';
import { base, showEdition } from './shared/archive';
import { BrowserRouter, matchPath } from './shared/router';
// Every page has a head: its code is in the file that they share.
import './shared/head';
import './shared/styles/base.css';

const root = document.getElementById('root');
if (root) void start(root);

/** Hydrates the page that the server sent; its code is loaded first, so that nothing flickers. */
async function start(root: HTMLElement) {
  const boot = readBoot(document);
  showEdition(boot);
  const site = boot.data['/site/'] as Site | undefined;
  const routes = siteRoutes(site?.product.slug ?? '', site?.modules ?? {});
  const missing = root.dataset.template === 'not-found';
  const route = routes.find((route) => (missing ? route.path === '*' : matchPath(route.path, boot.path)));
  if (route) await loadPage(route);
  // After Back was pressed in the meantime, the address is another page's, with this page's HTML and data.
  const address = document.querySelector<HTMLScriptElement>('script[data-address]')?.dataset.address;
  if (address && location.pathname + location.search !== address) return location.reload();

  const app = (
    <StrictMode>
      <BrowserRouter basename={base}>
        <App boot={boot} routes={routes} missing={missing} />
      </BrowserRouter>
    </StrictMode>
  );
  if (root.hasChildNodes()) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);

  for (const { name, whenOff } of features) if (site?.modules[name] === false) void whenOff?.();
}
