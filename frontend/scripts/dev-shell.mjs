/**
 * Address of the style guide in development, with every component in every state; it needs no server, and no build
 * contains it.
 */
const GUIDE = '/styleguide';

/**
 * Development only: serves every page as an empty shell whose boot data come from a running server.
 * @param {string} server
 * @returns {import('vite').Plugin}
 */
export function devShell(server) {
  return {
    name: 'festival-dev-shell',
    apply: 'serve',
    configureServer(vite) {
      const print = vite.printUrls;
      vite.printUrls = () => {
        print();
        const address = vite.resolvedUrls?.local[0];
        if (address) vite.config.logger.info(`  Every component: ${new URL(GUIDE, address)}`);
      };
      return () => {
        vite.middlewares.use(async (request, response, next) => {
          if (!request.headers.accept?.includes('text/html')) return next();
          try {
            if (new URL(request.originalUrl ?? '/', server).pathname === GUIDE) {
              const html = await vite.transformIndexHtml(GUIDE, shell(null, 'src/styleguide/main.tsx', 'Style guide'));
              response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
              return;
            }
            const site = await (await fetch(`${server}/api/site/`)).json();
            const boot = { data: { '/site/': site }, errors: {}, path: '', params: {}, api: '/api' };
            const html = await vite.transformIndexHtml(
              request.originalUrl ?? '/',
              shell(boot, 'src/entry-client.tsx', ''),
            );
            response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
          } catch (error) {
            next(error);
          }
        });
      };
    },
  };
}

/**
 * @param {object | null} boot
 * @param {string} script
 * @param {string} title empty: the page sets its own
 */
function shell(boot, script, title) {
  const json = JSON.stringify(boot).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/favicon.svg">${title ? `<title>${title}</title>` : ''}</head>
<body><div id="root"></div>
<script type="application/json" id="boot-data">${json}</script>
<script type="module" src="/${script}"></script></body>
</html>`;
}
