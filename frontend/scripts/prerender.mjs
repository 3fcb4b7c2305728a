/** Prints every page of the site into dist/templates/<name>.hbs: whole documents that the server fills with data. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pageAssets } from './page-assets.mjs';

process.env.NODE_ENV = 'production';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

const { printPage, routes } = await import(pathToFileURL(join(root, '.build/server/entry-server.js')).href);
const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'));

/** The looks of the strip above a preview. */
const strip = manifest['src/admin/preview.css'].file;

await mkdir(join(dist, 'templates'), { recursive: true });
for (const route of routes) {
  const page = await printPage(route);
  // React hints at every picture that is not lazy, outside the blocks in which its data are: the browser would ask for
  // addresses that nobody has. What is painted first, the page's own head says.
  page.body = page.body.replaceAll(/<link rel="preload" as="image"[^>]*>/g, '');
  const html = documentOf(route.template, page, pageAssets(manifest, route.template, page.body));
  // The content security policy forbids both.
  if (/<[^>]*\sstyle=/.test(page.body)) throw new Error(`${route.template}: a style attribute in the HTML`);
  if (/<script/.test(page.body)) throw new Error(`${route.template}: a script in the HTML`);
  await writeFile(join(dist, 'templates', `${route.template}.hbs`), html);
}
// The server has no use for it.
await rm(join(dist, '.vite'), { recursive: true });
console.log(`${routes.length} templates`);

/**
 * @param {string} template
 * @param {{ head: string, body: string }} page
 * @param {{ styles: string[], scripts: string[], entry: string, fonts: string[] }} assets
 */
function documentOf(template, page, assets) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${page.head}
${assets.fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" href="/${file}" crossorigin>`).join('\n')}
<meta name="theme-color" content="{{theme_color}}">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
${assets.styles.map((file) => `<link rel="stylesheet" href="/${file}">`).join('\n')}
{{#if preview}}<meta name="robots" content="noindex">
<link rel="stylesheet" href="/${strip}">{{else}}${assets.scripts
    .map((file) => `<link rel="modulepreload" href="/${file}">`)
    .join('\n')}
<script type="module" src="/${assets.entry}"></script>{{/if}}
{{#if json_ld}}<script type="application/ld+json">{{{json_ld}}}</script>{{/if}}
</head>
<body>
{{#if preview}}<aside class="preview" aria-label="Preview">Preview. Nobody else sees it, and nothing of it is saved. Menus and what moves stand still here. Close this tab to go on writing.</aside>{{/if}}
<div id="root" data-template="${template}">${page.body}</div>
{{#unless preview}}<script type="application/json" id="boot-data">{{{boot}}}</script>{{/unless}}
</body>
</html>
`;
}
