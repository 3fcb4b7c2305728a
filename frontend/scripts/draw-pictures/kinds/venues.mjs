import { block } from '../lib/alphabet.mjs';
import { C, mix } from '../lib/palette.mjs';
import { repeat } from '../lib/random.mjs';
import { circle, grain, group, letters, line, path, picture, polygon, rect } from '../lib/svg.mjs';
import { bicycle, canoe, boatman } from '../shapes/craft.mjs';
import { person } from '../shapes/living.mjs';
import { glitter, palm, palmGrove } from '../shapes/nature.mjs';
import { glow, MOODS } from '../scenes/light.mjs';

const W = 1280;
const H = 853;
const fade = (stops, id) => `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops.map((stop, i) => `<stop offset="${i / (stops.length - 1)}" stop-color="${stop}"/>`).join('')}</linearGradient>`;
const bulbs = (x, y, width, count) => repeat(count, (i) => circle(x + (i * width) / (count - 1), y, 5, C.lit));
const doors = (x, y, count, fill) => repeat(count, (i) => rect(x + i * 74, y - 118, 62, 118, fill));

const buildings = [
  // By the water, with a tower of light.
  (venue) => {
    const dark = '#0B1614';
    return fade(['#16302F', mix(C.laterite, C.turmeric, 0.45), C.turmeric], 'eve') + rect(0, 0, W, 560, 'url(#eve)') + palmGrove(0, 560, W, 150, mix(C.leaf, C.night, 0.4), 'kt', 12) + rect(0, 556, W, 300, mix(C.leaf, C.night, 0.35)) + polygon('150,600 1130,600 1200,660 80,660', C.lampBlack) +
      rect(240, 300, 800, 300, C.lime) + path('M240 300Q250 236 330 236H760V300Z', mix(C.lime, C.laterite, 0.16)) + rect(240, 430, 800, 14, C.laterite) + rect(240, 458, 800, 8, C.laterite) + rect(700, 96, 150, 504, C.laterite) + repeat(5, (i) => rect(716 + i * 26, 60 + Math.abs(i - 2) * 18, 12, 470, mix(C.laterite, C.ember, 0.6))) + repeat(3, (i) => circle(1000 - i * 70, 366, 25, dark) + circle(1000 - i * 70, 366, 18, C.lit)) + repeat(6, (i) => rect(276 + i * 66, 336, 40, 64, i % 2 ? C.lit : mix(C.lit, C.turmeric, 0.6))) +
      rect(270, 452, 400, 34, dark) + bulbs(284, 486, 372, 20) + letters(block(venue.sign, 330, 254, 330, 34), C.laterite) + doors(300, 600, 5, C.turmeric) + doors(876, 600, 2, dark) + glow(480, 560, 330, C.lit, 0.55) + glitter(480, 672, 420, 170, C.turmeric, 'kt', 18) + [350, 420, 560, 640, 900].map((x, i) => person(x, 640, 92, dark, { pose: i % 2 ? 'walk' : 'stand', hair: i % 2 ? 'bun' : 'short' })).join('') + canoe(980, 780, 300, dark, boatman(dark, 40)) + palm(120, 700, 560, dark, { lean: 0.12, seed: 'kt1' });
  },
  // An old store with a gable and rows of lanterns.
  (venue) => {
    const dark = '#0A0807';
    const tiles = repeat(9, (row) => repeat(26, (i) => path(`M${230 + i * 34 + (row % 2) * 17} ${206 + row * 26}q17 22 34 0`, 'none', `stroke="${mix(C.laterite, C.night, 0.45)}" stroke-width="4"`)));
    return rect(0, 0, W, H, '#10201F') + glow(640, 420, 640, C.turmeric, 0.28) + rect(0, 690, W, 170, '#17110D') + rect(0, 340, 190, 360, '#0D1817') + rect(1090, 300, 190, 400, '#0D1817') + rect(250, 400, 780, 300, mix(C.turmeric, C.laterite, 0.3)) + `<clipPath id="roof"><polygon points="190,440 400,190 880,190 1090,440"/></clipPath>` + polygon('190,440 400,190 880,190 1090,440', C.laterite) + `<g clip-path="url(#roof)">${tiles}</g>` + polygon('500,440 640,240 780,440', C.lime) + circle(640, 372, 40, dark) + circle(640, 372, 31, C.lit) + rect(190, 436, 900, 12, dark) +
      letters(block(venue.sign, 440, 510, 400, 36), C.laterite) + repeat(3, (i) => path(`M${324 + i * 244} 700V606Q${324 + i * 244} 552 ${390 + i * 244} 552Q${456 + i * 244} 552 ${456 + i * 244} 606V700Z`, i === 1 ? C.lit : mix(C.lit, C.turmeric, 0.7))) + line('M190 444Q640 480 1090 444M0 420Q100 470 190 470M1090 470Q1200 460 1280 400', dark, 3) + repeat(11, (i) => { const t = i / 10; const [x, y] = [200 + t * 880, 446 + 4 * t * (1 - t) * 16]; return glow(x, y + 26, 70, C.turmeric, 0.8) + path(`M${x - 13} ${y + 8}h26l5 30h-36z`, [C.ember, C.lit, C.turmeric][i % 3]); }) + polygon('570,700 710,700 900,853 380,853', C.lit, 'opacity=".28"') + [470, 610, 668, 830, 930].map((x, i) => person(x, 760, 150 - (i % 2) * 14, dark, { pose: i % 2 ? 'walk' : 'stand', hair: ['bun', 'short', 'long'][i % 3], flip: i % 2 ? -1 : 1 })).join('');
  },
  // A single screen in a small town, by day.
  (venue) => {
    const dark = C.lampBlack;
    return fade([C.leafLight, C.lit], 'day') + rect(0, 0, W, 620, 'url(#day)') + circle(1060, 150, 70, C.paper) + palm(1130, 640, 520, mix(C.leaf, C.leafLight, 0.25), { lean: -0.12, seed: 'bt1' }) + palm(1210, 640, 420, mix(C.leaf, C.leafLight, 0.15), { lean: 0.06, seed: 'bt2' }) + palm(96, 640, 470, mix(C.leaf, C.leafLight, 0.2), { lean: 0.1, seed: 'bt3' }) + rect(0, 620, W, 240, mix(C.turmeric, C.laterite, 0.25)) +
      polygon('250,270 640,170 1030,270 1030,640 250,640', C.leaf) + polygon('250,270 640,170 1030,270 1030,300 640,204 250,300', C.lime) + rect(330, 296, 620, 124, C.lime) + letters(block(venue.name.split(' ')[0], 372, 314, 536, 36), C.laterite) + letters(block(venue.sign, 372, 362, 536, 42), C.night) + rect(250, 440, 780, 34, C.turmeric) + repeat(26, (i) => polygon(`${250 + i * 30},474 ${280 + i * 30},474 ${265 + i * 30},494`, i % 2 ? C.ember : C.lime)) + repeat(3, (i) => rect(290 + i * 84, 508, 70, 100, [C.ember, C.lit, C.leafLight][i]) + circle(325 + i * 84, 548, 22, [C.night, C.laterite, C.leaf][i])) + doors(570, 640, 3, dark) + rect(830, 510, 160, 90, dark) + rect(842, 522, 136, 66, C.lit) + person(900, 590, 66, dark) +
      [[420, 700, 150, 'walk'], [700, 690, 140, 'stand'], [746, 690, 96, 'stand'], [1010, 710, 160, 'stand']].map(([x, y, h, pose], i) => person(x, y, h, dark, { pose, hair: i % 2 ? 'bun' : 'short' })).join('') + bicycle(220, 740, 230, dark) + path(`M0 ${H}V800Q320 770 640 796T1280 780V${H}Z`, MOODS.dawn[2]) + canoe(900, 830, 280, dark, '');
  },
];

/** The three theatres. */
export async function venues(studio, festival) {
  for (const [i, venue] of festival.venues.entries()) await studio.save(venue.image, picture(W, H, group('', buildings[i % 3](venue)) + grain(W, H, 0.16, i + 7)), { limit: 90_000 });
}
