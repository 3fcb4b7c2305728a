/** @typedef {{ file: string, css?: string[], imports?: string[] }} Chunk */

const ENTRY = 'src/entry-client.tsx';
const ADMIN_ENTRY = 'src/admin/admin.ts';

/**
 * The faces of headings and of text, which every page has: requested before the styles are read, so that the first
 * paint has them on all but the slowest connections. All others are loaded where their letters occur.
 */
const FIRST_FONTS = ['latin-closed', 'latin-text'];

/** Suffix of the source file of a page, after the name of its template. */
const PAGE = '-page.tsx';

/**
 * The templates of all pages: `blogs` is the page in `.../blogs-page.tsx`.
 * @param {Record<string, Chunk>} manifest
 */
export function pageTemplates(manifest) {
  return Object.keys(manifest)
    .filter((source) => source.endsWith(PAGE))
    .map((source) => source.slice(source.lastIndexOf('/') + 1, -PAGE.length));
}

/**
 * The files of a page: the style and typefaces of its first paint, then the scripts that hydrate it.
 * @param {Record<string, Chunk>} manifest
 * @param {string} template
 */
export function pageAssets(manifest, template) {
  const page = Object.keys(manifest).find((source) => source.endsWith(`/${template}${PAGE}`));
  if (!page) throw new Error(`${template}: no ${template}${PAGE} among the built pages`);

  const chunks = new Set();
  collect(manifest, page, chunks);
  collect(manifest, ENTRY, chunks);
  const entry = manifest[ENTRY];
  return {
    style: manifest['style.css'].file,
    start: manifest['src/entry-start.ts'].file,
    // The entry comes last: it starts the page.
    scripts: [...chunks]
      .filter((chunk) => chunk !== entry)
      .concat(entry)
      .map((chunk) => chunk.file),
    fonts: fontFiles(manifest, FIRST_FONTS),
  };
}

/**
 * The files of every page of the back office.
 * @param {Record<string, Chunk>} manifest
 */
export function adminAssets(manifest) {
  const { file, css = [] } = manifest[ADMIN_ENTRY];
  return { entry: file, styles: css, fonts: fontFiles(manifest, FIRST_FONTS) };
}

/**
 * @param {Record<string, Chunk>} manifest
 * @param {string[]} names
 */
function fontFiles(manifest, names) {
  return names.flatMap((name) => manifest[`src/shared/styles/fonts/${name}.woff2`]?.file ?? []);
}

/**
 * Imports first: nothing can start without them.
 * @param {Record<string, Chunk>} manifest
 * @param {string} source
 * @param {Set<Chunk>} chunks
 */
function collect(manifest, source, chunks) {
  const chunk = manifest[source];
  if (!chunk || chunks.has(chunk)) return;
  for (const needed of chunk.imports ?? []) collect(manifest, needed, chunks);
  chunks.add(chunk);
}
