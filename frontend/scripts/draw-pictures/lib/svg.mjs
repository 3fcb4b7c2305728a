import { C } from './palette.mjs';

const escape = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const SCRIPTS = ['Malayalam', 'Devanagari', 'Bangla', 'Tamil', 'Kannada', 'Telugu', 'Gujarati', 'Odia', 'Gurmukhi'];
const FAMILIES = [
  ...SCRIPTS.map((script) => `Anek ${script} Variable`),
  'Noto Sans JP Variable', 'Noto Sans KR Variable', 'Noto Sans Thai Variable', 'Noto Sans Sinhala Variable', 'Noto Kufi Arabic Variable', 'Noto Sans Variable',
];
/** The font list of every picture: one family for Latin and Malayalam, companions for the other scripts. */
export const FONTS = FAMILIES.map((family) => `'${family}'`).join(',');

/** A line of text. `fit` makes it exactly that wide, once the fonts are there. */
export function text(x, y, content, { size = 40, fill = C.night, weight = 800, stretch = 75, anchor = 'start', track = 0, fit, more = '' } = {}) {
  const fitted = fit ? ` data-fit="${fit}"` : '';
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" font-weight="${weight}" font-stretch="${stretch}%" letter-spacing="${track}em" text-anchor="${anchor}"${fitted} ${more}>${escape(content)}</text>`;
}

/** Several lines below one another. */
export function lines(x, y, list, { leading = 0.92, size = 40, ...rest } = {}) {
  return list.map((line, i) => text(x, y + i * size * leading, line, { size, ...rest })).join('');
}

/** Breaks a title into lines of about `limit` letters. */
export function wrap(title, limit) {
  const out = [''];
  for (const word of title.split(' ')) {
    const last = out[out.length - 1];
    if (last && `${last} ${word}`.length > limit) out.push(word);
    else out[out.length - 1] = last ? `${last} ${word}` : word;
  }
  return out;
}

export const rect = (x, y, width, height, fill, more = '') => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
export const circle = (cx, cy, r, fill, more = '') => `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}" ${more}/>`;
export const path = (d, fill, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`;
/** Letters of the festival's own alphabet: their counters are holes. */
export const letters = (d, fill, more = '') => path(d, fill, `fill-rule="evenodd" ${more}`);
export const polygon = (points, fill, more = '') => `<polygon points="${points}" fill="${fill}" ${more}/>`;
export const line = (d, stroke, width, more = '') => `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
export const group = (transform, body, more = '') => `<g transform="${transform}" ${more}>${body}</g>`;
export const clip = (id, shape, body) => `<clipPath id="${id}">${shape}</clipPath><g clip-path="url(#${id})">${body}</g>`;

/** Film grain over the whole picture: `strength` 0.1 is print, 0.35 is a worn reel. */
export function grain(width, height, strength, seed = 1) {
  return `<filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".55" numOctaves="2" seed="${seed}"/><feColorMatrix values="0 0 0 0 .5  0 0 0 0 .5  0 0 0 0 .5  1.6 0 0 0 -.55"/></filter><rect width="${width}" height="${height}" filter="url(#grain)" opacity="${strength}" style="mix-blend-mode:multiply"/>`;
}

/** A whole picture as SVG text. */
export function picture(width, height, body, ground = C.night) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escape(FONTS)}">${rect(0, 0, width, height, ground)}${body}</svg>`;
}
