import { C, mix } from '../lib/palette.mjs';
import { random, repeat } from '../lib/random.mjs';
import { circle, group, line, path, polygon, rect } from '../lib/svg.mjs';
import { person } from '../shapes/living.mjs';
import { hills, palm } from '../shapes/nature.mjs';
import { glow, shaft, sky, W } from './light.mjs';

const stars = (seed, count, height) => { const dice = random(seed); return repeat(count, () => circle(dice.between(0, W).toFixed(0), dice.between(0, height).toFixed(0), dice.between(0.8, 3.4).toFixed(1), dice.pick([C.lit, C.paper, C.leafLight]))); };

/** A telescope on a hill under the sky. */
export const telescope = () => sky(['#071012', mix(C.leaf, C.night, 0.3), mix(C.leaf, C.leafLight, 0.3)]) + stars('sky', 150, 480) + repeat(5, (i) => `<circle cx="980" cy="60" r="${160 + i * 120}" fill="none" stroke="${C.leafLight}" stroke-width="2" opacity="${0.5 - i * 0.08}"/>`) + circle(980, 60, 54, C.lit) + glow(980, 60, 300, C.lit, 0.5) + hills(W, 560, 730, '#071010', 'obs', 90) + group('translate(560 470) rotate(-32)', rect(-150, -34, 320, 68, C.lime) + rect(150, -44, 60, 88, C.ember) + rect(-200, -16, 60, 32, C.turmeric)) + line('M560 480L470 660M560 480L650 660M560 480V660', C.lime, 12) + person(340, 640, 190, '#030606', { hair: 'bun' }) + person(420, 650, 120, '#030606') + palm(1120, 640, 330, '#030606', { lean: -0.1, seed: 'obs' });

/** Visitors below a dome of stars. */
export const dome = () => rect(0, 0, W, 730, '#0C0A0C') + circle(640, 560, 560, mix(C.leaf, C.night, 0.45)) + `<clipPath id="dome">${circle(640, 560, 560, C.night)}</clipPath><g clip-path="url(#dome)">${stars('dome', 170, 520)}${line('M250 300L360 220L470 290L600 200L560 380L420 400L360 220M800 160L900 260L1010 230L960 380L860 420', C.leafLight, 3)}</g>` + [[250, 300], [360, 220], [470, 290], [600, 200], [560, 380], [420, 400], [800, 160], [900, 260], [1010, 230], [960, 380], [860, 420]].map(([x, y]) => circle(x, y, 8, C.lit)).join('') + shaft('M600 640H680L1000 160H280Z', [640, 640], [640, 200], C.lit, 0.25) + rect(0, 560, W, 170, '#0C0A0C') + polygon('600,640 680,640 700,560 580,560', C.ember) + repeat(11, (i) => person(70 + i * 114, 705, 150 - (i % 3) * 24, '#1F1714', { pose: 'sit', hair: ['bun', 'short', 'long'][i % 3] }));

/** The orbits of a small system, as a wall chart. */
export const orbits = () => rect(0, 0, W, 730, C.laterite) + polygon('640,360 1500,-300 1500,700', mix(C.laterite, C.ember, 0.5)) + repeat(5, (i) => `<ellipse cx="640" cy="360" rx="${170 + i * 105}" ry="${62 + i * 62}" fill="none" stroke="${C.lit}" stroke-width="3"/>`) + circle(640, 360, 86, C.turmeric) + circle(640, 360, 62, C.lit) + [[488, 332, 17, C.lime], [820, 448, 27, C.leafLight], [300, 262, 36, C.leaf], [1010, 240, 56, C.lampBlack], [150, 500, 44, C.ember]].map(([x, y, r, fill]) => circle(x, y, r, fill)).join('') + `<ellipse cx="1010" cy="240" rx="96" ry="22" fill="none" stroke="${C.turmeric}" stroke-width="9" transform="rotate(-14 1010 240)"/>`;

/** Cells of a leaf, as seen in the light of a microscope. */
export function cells() {
  const dice = random('cells');
  const body = repeat(9, (row) => repeat(13, (i) => { const [x, y, r] = [i * 104 - 20 + (row % 2) * 52, row * 90 - 10, dice.between(38, 50)]; return circle(x, y, r, mix(C.leaf, C.leafLight, dice.between(0.3, 0.9))) + circle(x, y, r * 0.76, mix(C.leaf, C.leafLight, dice.between(0, 0.4))) + circle(x + dice.between(-14, 14), y + dice.between(-14, 14), 10, dice.pick([C.turmeric, C.ember, C.lit])); }));
  return rect(0, 0, W, 730, C.leaf) + body + path('M0 0H1280V730H0ZM640 20a340 340 0 1 0 1 0Z', C.night, 'fill-rule="evenodd"') + glow(640, 360, 460, C.lit, 0.35);
}

/** A bench of glass, and the light that goes through it. */
export const bench = () => sky([mix(C.ember, C.night, 0.55), mix(C.ember, C.night, 0.2)]) + rect(0, 540, W, 190, C.lampBlack) + polygon('0,300 620,330 620,370 0,330', C.lit) + [C.ember, C.turmeric, C.lit, C.leafLight, mix(C.leafLight, C.leaf, 0.5)].map((fill, i) => polygon(`720,350 1280,${120 + i * 84} 1280,${204 + i * 84}`, fill)).join('') + polygon('670,240 780,470 560,470', C.lime, 'opacity=".92"') + polygon('670,240 780,470 700,470', mix(C.lime, C.leafLight, 0.5)) + [[180, C.leafLight, 170], [330, C.turmeric, 130], [1080, C.lime, 150]].map(([x, fill, h]) => path(`M${x - 20} ${540 - h * 1.4}H${x + 20}V${540 - h * 0.8}L${x + 76} 540H${x - 76}L${x - 20} ${540 - h * 0.8}Z`, C.paper, 'opacity=".35"') + path(`M${x - 44} ${540 - h * 0.45}H${x + 44}L${x + 76} 540H${x - 76}Z`, fill)).join('') + rect(540, 470, 260, 70, C.night) + person(920, 720, 330, '#0A0706', { hair: 'bun', flip: -1 });

/** A small crew with its camera on the shore. */
export const crew = () => sky([C.turmeric, C.lit, C.paper]) + circle(300, 330, 110, C.ember) + hills(W, 440, 460, mix(C.turmeric, C.laterite, 0.4), 'crew', 80) + rect(0, 440, W, 130, mix(C.leafLight, C.leaf, 0.3)) + path('M0 520Q500 490 1280 540V730H0Z', mix(C.laterite, C.night, 0.3)) + group('translate(760 330)', rect(-70, -46, 150, 92, C.night) + circle(-36, -78, 38, C.night) + circle(44, -86, 46, C.night) + polygon('-70,-26 -140,-56 -140,56 -70,26', C.night) + line('M0 46L-90 320M0 46L90 320M0 46V320', C.night, 13)) + person(900, 650, 330, C.night, { hair: 'short', flip: -1, arm: 'M-8 -84L-40 -96' }) + person(1080, 660, 300, C.night, { hair: 'bun', flip: -1 }) + person(420, 620, 240, C.night, { pose: 'walk', hair: 'long' }) + line('M1030 330L560 190', C.night, 8) + `<ellipse cx="540" cy="190" rx="46" ry="20" fill="${C.night}" transform="rotate(16 540 190)"/>`;
