import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { C } from './palette.mjs';
import { H, vignette, W } from '../scenes/light.mjs';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const fontsource = join(here, 'node_modules/@fontsource/anek-malayalam/files');
const house = join(here, '../../src/shared/styles/fonts');
const MALAYALAM = 'U+0D00-0D7F, U+200C-200D, U+25CC';
const LATIN_EXT = 'U+0100-02AF, U+1E00-1EFF, U+2020, U+20A0-20AB, U+20AD-20CF';

const face = (family, weight, file, range = '') => `@font-face{font-family:'${family}';font-weight:${weight};src:url('${pathToFileURL(file)}')${range ? `;unicode-range:${range}` : ''}}`;

/** The festival's typeface as static fonts: variable fonts would lose their outlines in a PDF. */
const FACES = [
  ...[300, 400, 600, 800].flatMap((weight) => [
    face('Text', weight, join(fontsource, `anek-malayalam-latin-${weight}-normal.woff2`)),
    face('Text', weight, join(fontsource, `anek-malayalam-latin-ext-${weight}-normal.woff2`), LATIN_EXT),
    face('Text', weight, join(fontsource, `anek-malayalam-malayalam-${weight}-normal.woff2`), MALAYALAM),
  ]),
  face('Closed', 800, join(house, 'latin-closed.woff2')),
  face('Closed', 800, join(house, 'malayalam-closed.woff2'), MALAYALAM),
  face('Open', 400, join(house, 'latin-open.woff2')),
  face('Open', 400, join(house, 'malayalam-open.woff2'), MALAYALAM),
].join('');

const BASE = `*{margin:0;box-sizing:border-box}body{font:400 10.6pt/1.5 Text;color:${C.night};-webkit-print-color-adjust:exact}
h1,h2,h3{font-family:Closed;font-weight:800;line-height:.98;letter-spacing:-.01em;break-after:avoid}
[lang=ml]{line-height:1.75;letter-spacing:0}ul,ol{padding-left:1.3em}table{border-collapse:collapse;width:100%}
.quiet{color:#574625}.accent{color:${C.laterite}}.open{font-family:Open;font-weight:400}
.page{position:relative;overflow:hidden;break-after:page}.page:last-child{break-after:auto}.page>.front{display:block;width:100%;height:100%}`;

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Escapes text for HTML. */
export const plain = (text) => String(text).replace(/[&<>"]/g, (letter) => ENTITIES[letter]);

/** A whole document to print, with the title of the PDF and the paper `size`. */
export function sheet({ title, size, margin = '0', css = '', body }) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${plain(title)}</title><style>${FACES}@page{size:${size};margin:${margin}}${BASE}${css}</style></head><body>${body}</body></html>`;
}

/**
 * A scene as a separate picture, so that the names of its gradients do not collide with another scene's; `alt` is its
 * alternative text.
 */
export function scenePicture(body, alt, className = 'scene') {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}" preserveAspectRatio="xMidYMid slice">${body}${vignette(0.35)}</svg>`;
  return `<img class="${className}" alt="${plain(alt)}" src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`;
}
