/** @typedef {{ file: string, css?: string[], imports?: string[] }} Chunk */

const ENTRY = 'src/entry-client.tsx';
const ADMIN_ENTRY = 'src/admin/admin.ts';

/** The faces in which every page starts: its heading and its text. */
const FIRST_FONTS = ['latin-closed', 'latin-text'];

/** The face of the Malayalam words that stand beside a heading. */
const BESIDE_FONT = 'malayalam-open';

/**
 * The files that a page's first paint needs: those of the entry and of the page's own chunk. A page's source is found
 * by its template's name: `blogs` is printed from `.../blogs-page.tsx`.
 * @param {Record<string, Chunk>} manifest
 * @param {string} template
 * @param {string} body the page as it is printed
 */
export function pageAssets(manifest, template, body) {
  const page = Object.keys(manifest).find((source) => source.endsWith(`/${template}-page.tsx`));
  if (!page) throw new Error(`${template}: no ${template}-page.tsx among the built pages`);

  const chunks = new Set();
  collect(manifest, ENTRY, chunks);
  collect(manifest, page, chunks);

  const head = body.split('<header').find((part) => part.includes('<h1')) ?? '';
  const malayalam = head.slice(0, head.indexOf('</header>')).includes('lang="ml"');
  return filesOf(manifest, ENTRY, [...chunks], malayalam ? [...FIRST_FONTS, BESIDE_FONT] : FIRST_FONTS);
}

/**
 * The files of every page of the back office.
 * @param {Record<string, Chunk>} manifest
 */
export function adminAssets(manifest) {
  const chunks = new Set();
  collect(manifest, ADMIN_ENTRY, chunks);
  return filesOf(manifest, ADMIN_ENTRY, [...chunks], FIRST_FONTS);
}

/**
 * @param {Record<string, Chunk>} manifest
 * @param {string} source
 * @param {Chunk[]} all
 * @param {string[]} fonts
 */
function filesOf(manifest, source, all, fonts) {
  const entry = manifest[source].file;
  return {
    entry,
    styles: [...new Set(all.flatMap((chunk) => chunk.css ?? []))],
    scripts: all.map((chunk) => chunk.file).filter((file) => file !== entry),
    fonts: fonts.flatMap((name) => manifest[`src/shared/styles/fonts/${name}.woff2`]?.file ?? []),
  };
}

/**
 * Imports first, so that styles come in the order in which the code asks for them.
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
