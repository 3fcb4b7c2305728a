import { fileURLToPath } from 'node:url';
import { dirname, join, resolve } from 'node:path';
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { C } from '../lib/palette.mjs';
import { block } from '../lib/alphabet.mjs';
import { group, letters, polygon, rect } from '../lib/svg.mjs';

/** Icons are part of the website, not of an edition. */
const home = resolve(dirname(fileURLToPath(import.meta.url)), '../../../public');

/**
 * The mark in its smallest form, 32 by 32: the beam leaves the lamp at the left and fills the right edge, with the
 * first letter of the name in it, small at the lamp and large where it lands. `scale` is 1 where the picture may reach
 * its edges.
 */
function mark(product, scale = 1) {
  const [left, right] = [6.5, 29.5];
  const bend = (x, y) => {
    const share = (x - left) / (right - left);
    const [top, bottom] = [10.5 - 8 * share, 21.5 + 8 * share];
    return [x, top + (bottom - top) * y];
  };
  const letter = block(product.name[0], left, 0, right - left, 1, bend);
  const body = group(`translate(${16 - 16 * scale} ${16 - 16 * scale}) scale(${scale})`, polygon('-7.5,16 41,-9.8 41,41.8', C.lit) + letters(letter, C.night));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">${rect(0, 0, 32, 32, C.night)}${body}</svg>`;
}

const png = (svg, size) => sharp(Buffer.from(svg), { density: (72 * size) / 32 }).resize(size, size).png({ palette: true, colours: 32, effort: 10 }).toBuffer();

/** An .ico file that holds PNGs: what every browser and system reads today. */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach(({ size, bytes }, index) => {
    const at = 6 + 16 * index;
    head.writeUInt8(size, at);
    head.writeUInt8(size, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(bytes.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += bytes.length;
  });
  return Buffer.concat([head, ...pictures.map(({ bytes }) => bytes)]);
}

/** The icons of tabs and home screens, below frontend/public. */
export async function icons(_studio, { product }) {
  const whole = mark(product);
  // Systems may cut this one to a circle, so the mark stays inside four fifths of the width.
  const safe = mark(product, 0.66);
  const small = await Promise.all([16, 32, 48].map(async (size) => ({ size, bytes: await png(whole, size) })));
  const files = {
    'favicon.svg': `${whole}\n`,
    'favicon.ico': ico(small),
    'apple-touch-icon.png': await png(whole, 180),
    'icon-192.png': await png(whole, 192),
    'icon-512.png': await png(whole, 512),
    'icon-maskable-512.png': await png(safe, 512),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(home, name), bytes);
}
