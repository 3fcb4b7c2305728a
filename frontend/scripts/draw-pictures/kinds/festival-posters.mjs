import { block, cone } from '../lib/alphabet.mjs';
import { C, mix } from '../lib/palette.mjs';
import { random, repeat } from '../lib/random.mjs';
import { circle, clip, grain, group, letters, path, picture, polygon, rect, text } from '../lib/svg.mjs';
import { boatman, canoe } from '../shapes/craft.mjs';
import { eye } from '../shapes/living.mjs';
import { palm } from '../shapes/nature.mjs';

const W = 800;
const H = 1200;
const foot = (product, fill, y = 1140) => text(56, y - 46, `${product.edition} ${product.full_name}`, { size: 36, fill, weight: 800, fit: 688 }) + text(56, y + 4, product.city, { size: 33, fill, weight: 300, stretch: 110 });

const designs = {
  twenty: (product) => { const figures = [...product.number].slice(0, 2); const pair = (fill) => letters(block(figures[0], 56, 90, 688, 430), fill) + letters(block(figures[1] ?? '0', 56, 560, 688, 430), fill); return rect(0, 0, W, H, C.laterite) + pair(mix(C.laterite, C.night, 0.32)) + polygon('0,40 800,-200 800,1060', C.lit) + clip('in', polygon('0,40 800,-200 800,1060', C.lit), pair(C.night)) + rect(0, 1040, W, 160, C.laterite) + foot(product, C.lit); },
  'the-beam': (product) => rect(0, 0, W, H, C.night) + polygon('400,40 -120,1020 920,1020', C.lit) + clip('cone', polygon('400,40 -120,1020 920,1020', C.lit), letters(cone(product.name, { y0: 150, y1: 1030, origin: 40, left: (y) => 400 - (y - 40) * 0.45, right: (y) => 400 + (y - 40) * 0.45 }), C.night)) + foot(product, C.lit),
  'the-letter': (product) => rect(0, 0, W, H, C.turmeric) + circle(400, 500, 372, C.laterite) + text(400, 690, [...new Intl.Segmenter('ml').segment(product.name_malayalam)][0].segment, { size: 640, fill: C.lit, anchor: 'middle', stretch: 100, fit: 620 }) + text(56, 1000, product.name_malayalam, { size: 120, fill: C.night }) + foot(product, C.night),
  'the-palm': (product) => rect(0, 0, W, H, C.leaf) + polygon('0,180 800,-120 800,900', C.leafLight) + palm(430, 1010, 860, mix(C.leaf, C.night, 0.35), { lean: 0.02, seed: 'fp', fronds: 13 }) + clip('lit', polygon('0,180 800,-120 800,900', C.lit), palm(430, 1010, 860, C.night, { lean: 0.02, seed: 'fp', fronds: 13 })) + rect(0, 1008, W, 192, C.night) + canoe(170, 1000, 250, C.night, boatman(C.night, 40)) + foot(product, C.lit),
  'the-eye': (product) => rect(0, 0, W, H, C.ember) + polygon('400,330 -40,1200 840,1200', C.lit) + eye(400, 320, 700, C.lime, C.leaf, C.night, C.lit) + letters(cone(product.name, { y0: 562, y1: 1052, origin: 360, left: (y) => 400 - (y - 350) * 0.46, right: (y) => 400 + (y - 350) * 0.46 }), C.laterite) + rect(0, 1044, W, 156, C.night) + foot(product, C.lit),
  'the-seat': (product) => { const dice = random('seats'); const seat = (x, y, fill) => path(`M${x - 40} ${y}V${y - 62}Q${x - 40} ${y - 86} ${x - 16} ${y - 86}H${x + 16}Q${x + 40} ${y - 86} ${x + 40} ${y - 62}V${y}Z`, fill) + path(`M${x - 54} ${y - 30}H${x - 44}V${y + 8}H${x + 44}V${y - 30}H${x + 54}V${y + 26}H${x - 54}Z`, mix(fill, C.night, 0.3)); const rows = repeat(8, (row) => repeat(8, (i) => { const [x, y] = [i * 122 - 28 + (row % 2) * 61, 170 + row * 122]; const lit = row === 4 && i === 4; return lit ? '' : seat(x, y, mix(C.leaf, C.night, dice.between(0.35, 0.6))); })); return rect(0, 0, W, H, mix(C.leaf, C.night, 0.75)) + rows + polygon('452,0 468,0 572,694 348,694', C.lit) + seat(460, 658, C.ember) + rect(0, 1046, W, 154, C.lit) + foot(product, C.night); },
};

/** Posters of the festival itself. */
export async function festivalPosters(studio, { product, festival_posters: list }) {
  for (const poster of list) {
    const name = poster.image.split('/').pop().replace('.webp', '');
    await studio.save(poster.image, picture(W, H, designs[name](product) + grain(W, H, 0.1, 5)), { limit: 70_000 });
  }
}
