import { C, mix } from '../lib/palette.mjs';
import { repeat } from '../lib/random.mjs';
import { circle, grain, group, path, picture, polygon, rect } from '../lib/svg.mjs';

const S = 1200;

// The fixed picture behind every category: beams that cross a wall of five pigments.
const crossing = () => {
  const fills = [C.laterite, C.turmeric, C.leaf, C.ember, C.leafLight, C.lime];
  return repeat(16, (i) => { const [column, row] = [i % 4, Math.floor(i / 4)]; const [x, y] = [column * 300, row * 300]; const [a, b] = [fills[(column * 2 + row * 3) % 6], fills[(column * 2 + row * 3 + 2) % 6]]; const flip = (column + row) % 4; return rect(x, y, 300, 300, a) + group(`translate(${x + 150} ${y + 150}) rotate(${flip * 90})`, polygon('-150,-150 150,-70 150,150', b) + polygon('-150,-150 150,30 150,90', C.lampBlack)); });
};
// Rising rows of half circles, as on a temple wall, with a lamp's flame in each.
const petals = () => repeat(10, (row) => repeat(9, (i) => {
  const [x, y] = [i * 150 + (row % 2) * 75 - 75, 130 + row * 130];
  const petal = (w, h, fill) => path(`M${x - w} ${y}Q${x - w} ${y - h * 0.62} ${x} ${y - h}Q${x + w} ${y - h * 0.62} ${x + w} ${y}Z`, fill);
  return petal(75, 216, C.lampBlack) + petal(68, 200, C.laterite) + petal(50, 158, C.turmeric) + petal(36, 122, C.laterite) + petal(13, 84, C.lit);
}));
// Threshold drawings: a net of dots with one line that walks around them.
const threshold = () => repeat(9, (row) => repeat(9, (i) => { const [x, y] = [i * 150, row * 150]; return circle(x, y, 11, C.lime) + `<path d="M${x} ${y - 62}Q${x + 62} ${y - 62} ${x + 62} ${y}Q${x + 62} ${y + 62} ${x} ${y + 62}Q${x - 62} ${y + 62} ${x - 62} ${y}Q${x - 62} ${y - 62} ${x} ${y - 62}Z" fill="none" stroke="${(i + row) % 2 ? C.turmeric : C.lime}" stroke-width="9" transform="rotate(45 ${x} ${y})"/>`; })) + repeat(8, (row) => repeat(8, (i) => polygon(`${i * 150 + 75},${row * 150 + 49} ${i * 150 + 101},${row * 150 + 75} ${i * 150 + 75},${row * 150 + 101} ${i * 150 + 49},${row * 150 + 75}`, C.ember)));
// Sea scales that overlap, each with its rings.
const scales = () => repeat(15, (row) => repeat(8, (i) => { const [x, y] = [i * 200 + (row % 2) * 100 - 100, row * 88 + 30]; return [100, 78, 56, 34, 14].map((r, k) => circle(x, y, r, [C.leaf, C.leafLight, C.leaf, C.lime, C.ember][k])).join(''); }));

/** The tiles of the categories grid. */
export async function patterns(studio, { patterns: names }) {
  const tiles = { categories: [crossing, C.night], malayalam: [petals, mix(C.laterite, C.night, 0.4)], indian: [threshold, C.laterite], asian: [scales, C.leaf] };
  for (const [key, [draw, ground]] of Object.entries(tiles)) await studio.save(names[key], picture(S, S, draw() + grain(S, S, 0.1, 3), ground), { limit: 140_000 });
}
