import { C } from '../lib/palette.mjs';
import { block, wedge } from '../lib/alphabet.mjs';
import { letters, picture, polygon, rect, text } from '../lib/svg.mjs';
import { malayalamOutline, wordmark } from '../lib/wordmark.mjs';

/** The mark: the name in its beam, the Malayalam name in the dark below. Outlines only, no font needed. */
function logo(product) {
  const below = malayalamOutline(product.name_malayalam, 46, 372, 118, C.lit);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600" viewBox="0 0 1200 600" role="img" aria-label="${product.name}"><title>${product.name}</title>${rect(0, 0, 1200, 600, C.night)}<g transform="translate(40 84)">${wordmark(product.name, 1120, C.lit, C.night)}</g><g transform="translate(0 132)">${below.shape}</g></svg>`;
}

/** The smallest mark: a beam on the night, with the first letter in it. */
function favicon(product) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">${rect(0, 0, 64, 64, C.night)}${polygon('2,22 64,-4 64,68', C.lit)}${letters(block(product.name[0], 30, 14, 28, 34, (x, y) => [x, y + (y - 31) * (x - 44) * 0.012]), C.night)}</svg>`;
}

/** The name alone, bare letters for the header. */
const wordmarkAlone = (product) => `<svg xmlns="http://www.w3.org/2000/svg" width="560" height="190" viewBox="60 0 500 190" role="img" aria-label="${product.name}"><title>${product.name}</title>${wordmark(product.name, 560, null, C.lit)}</svg>`;

/** The name as it appears in the beam of the hero: wide screens 1440 by 900, phones 360 by 760. */
function heroWord(product, [width, height], [x, y], [upper, lower], [x0, x1]) {
  const edge = (end) => (at) => y + ((end - y) * (at - x)) / (width - x);
  const [top, bottom] = [edge(upper), edge(lower)];
  const inset = (one, other) => (at) => one(at) + (other(at) - one(at)) * 0.1;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${product.name}"><title>${product.name}</title>${letters(wedge(product.name, { x0, x1, origin: x, top: inset(top, bottom), bottom: inset(bottom, top) }), C.night)}</svg>`;
}

/** Logo, names for header and hero, social card and icon. */
export async function identity(studio, { product, identity: files }) {
  await studio.write(files.logo, `${logo(product)}\n`);
  await studio.write(files.wordmark, `${wordmarkAlone(product)}\n`);
  await studio.write(files.hero_word, `${heroWord(product, [1440, 900], [60, 110], [60, 730], [150, 1400])}\n`);
  await studio.write(files.hero_word_small, `${heroWord(product, [360, 760], [20, 90], [150, 500], [44, 352])}\n`);
  await studio.write(files.favicon, `${favicon(product)}\n`);
  await studio.savePng(files.logo_picture, logo(product));
  const words = `<g transform="translate(60 70)">${wordmark(product.name, 1140, C.lit, C.night)}</g>` + text(62, 496, `${product.edition} International Film Festival`, { size: 62, fill: C.lit }) + text(62, 560, product.city, { size: 44, fill: C.lit, weight: 300, stretch: 110 });
  await studio.savePng(files.social, picture(1200, 630, words));
}
