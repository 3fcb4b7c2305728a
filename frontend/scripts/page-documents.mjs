/**
 * Writes every page's document to dist/templates/<name>.hbs: its styles and scripts, around the HTML that the server
 * renders.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageAssets, pageTemplates } from './page-assets.mjs';

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist');
const read = async (name) => JSON.parse(await readFile(join(dist, '.vite', name), 'utf8'));
const manifest = await read('manifest.json');

const admin = await read('admin.json');

/** The styles of the banner above a preview, and above pages of the archive. */
const strip = admin['src/admin/preview.css'].file;
/** The link "Edit this page", for those who are signed in to the back office. */
const editThis = admin['src/admin/edit-this.ts'].file;

await mkdir(join(dist, 'templates'), { recursive: true });
const templates = pageTemplates(manifest);
for (const template of templates) {
  const file = join(dist, 'templates', `${template}.hbs`);
  await writeFile(file, documentOf(template, pageAssets(manifest, template)));
}
// The server does not need it.
await rm(join(dist, '.vite'), { recursive: true });
console.log(`${templates.length} documents`);

/**
 * @param {string} template
 * @param {{ style: string, start: string, scripts: string[], fonts: string[] }} assets
 */
function documentOf(template, assets) {
  return `<!doctype html>
<html lang="en"{{#unless preview}} data-unpainted{{/unless}}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{{{head}}}
${assets.fonts.map(fontPreload).join('\n')}
<meta name="theme-color" content="{{theme_color}}">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
<link rel="stylesheet" href="/${assets.style}">
{{#if preview}}<meta name="robots" content="noindex">
<link rel="stylesheet" href="/${strip}">{{else}}<script type="module" fetchpriority="low" src="/${assets.start}" data-scripts="${assets.scripts.map((file) => `/${file}`).join(' ')}"{{#unless archive}} data-edit="/${editThis}"{{/unless}}></script>{{/if}}
{{#if archive}}<link rel="stylesheet" href="/${strip}">{{/if}}
</head>
<body>
{{#if preview}}<aside class="preview" aria-label="Preview">Preview. Nobody else sees it, and nothing of it is saved. Menus and what moves stand still here. Close this tab to go on writing.</aside>{{/if}}
<div id="root" data-template="${template}">{{{body}}}</div>
{{#if archive}}<aside class="archive" aria-label="Archive">This is the archive: {{archive.edition}}. <a href="{{archive.home}}">To the festival of today</a></aside>{{/if}}
{{#if json_ld}}<script type="application/ld+json">{{{json_ld}}}</script>{{/if}}
{{#unless preview}}<script type="application/json" id="boot-data">{{{boot}}}</script>{{/unless}}
</body>
</html>
`;
}

/** @param {string} file */
function fontPreload(file) {
  return `<link rel="preload" as="font" type="font/woff2" href="/${file}" crossorigin>`;
}
