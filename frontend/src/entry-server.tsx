import { renderToString } from 'react-dom/server';
import { App } from './app/app';
import { loadPage } from './app/pages';
import { type SiteRoute, siteRoutes } from './app/routes';
import type { Site } from './shared/api';
import type { Boot } from './shared/api/boot';
import { base, showEdition } from './shared/archive';
import { collectHead } from './shared/head';
import { headHtml, type ServerHead } from './shared/head-html';
import { StaticRouter } from './shared/router';

/** What the server passes for a page; `core/web/src/page/gathered.rs` sends it as JSON. */
interface PageRequest extends ServerHead {
  /** Name of the page's document: `not-found` for missing records, whatever the path. */
  template: string;
  boot: Boot;
}

/** A page's parts, for the document that the build made. */
interface RenderedPage {
  head: string;
  body: string;
  /** Error message. The browser renders such a page by itself. */
  error: string | null;
}

/** Resolves when the code of every page is loaded, so that pages are rendered without waiting. */
export const ready: Promise<unknown> = Promise.all(siteRoutes('', {}).map(loadPage));

/** Renders one page as the browser's first render will. */
export function renderPage(request: PageRequest): RenderedPage {
  showEdition(request.boot);
  const site = request.boot.data['/site/'] as Site | undefined;
  const routes = siteRoutes(site?.product.slug ?? '', site?.modules ?? {});
  let { body, heads } = render(request, routes, false);
  let error = null;
  if (body.includes(FAILED)) {
    // React swallows an error inside a boundary; without one it is reported.
    try {
      render(request, routes, true);
      error = 'the page could only be rendered at the second try';
    } catch (cause) {
      error = cause instanceof Error ? `${cause.message}\n${cause.stack}` : String(cause);
    }
    body = '';
  }
  const [props, ...more] = heads;
  if (error === null && (!props || more.length > 0))
    error = `${request.template}: a page has exactly one <Head>, not ${heads.length}`;
  return {
    head: props ? headHtml(props, request) : '',
    // React adds preload hints for every picture that is not lazy; the page's own head names the one that is painted
    // first.
    body: body.replaceAll(/<link rel="preload" as="image"[^>]*>/g, ''),
    error,
  };
}

/** What React prints in place of a boundary's content that could not be rendered. */
const FAILED = '<!--$!-->';

function render({ template, boot }: PageRequest, routes: SiteRoute[], unguarded: boolean) {
  const { result, heads } = collectHead(() =>
    renderToString(
      <StaticRouter basename={base} location={base + boot.path}>
        <App boot={boot} routes={routes} missing={template === 'not-found'} unguarded={unguarded} />
      </StaticRouter>,
    ),
  );
  return { body: result, heads };
}
