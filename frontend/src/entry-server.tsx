import { renderToString } from 'react-dom/server';
import { App } from './app/app';
import { loadPage } from './app/pages';
import { type SiteRoute, siteRoutes } from './app/routes';
import { StaticRouter } from './shared/router';
import { printWith, resolveTokens } from './shared/template/expression';
import { takeHeads } from './shared/template/head';
import './shared/styles/base.css';

const boot = { data: {}, errors: {}, path: '', params: {}, query: {}, api: '/api' };

/** The pages that the build prints. */
export const routes: SiteRoute[] = siteRoutes('product', {});

/** Prints one page: what goes into the document's head and into its root element, as Handlebars. */
export async function printPage(route: SiteRoute): Promise<{ head: string; body: string }> {
  await loadPage(route);
  const address = route.path === '*' ? '/page/that/is/not/there' : route.path.replaceAll(/:\w+/g, '0');
  return printWith(() => {
    takeHeads();
    const body = renderToString(
      <StaticRouter location={address}>
        <App boot={boot} routes={routes} />
      </StaticRouter>,
    );
    const [head, ...more] = takeHeads();
    if (!head || more.length > 0)
      throw new Error(`${route.template}: a page has exactly one <Head>, outside of every condition`);
    return { body: resolveTokens(body), head: resolveTokens(head) };
  });
}
