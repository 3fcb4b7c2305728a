import { C, mix } from '../lib/palette.mjs';
import { random, repeat } from '../lib/random.mjs';
import { circle, group, line, path, polygon, rect } from '../lib/svg.mjs';
import { bicycle, train, umbrella } from '../shapes/craft.mjs';
import { elephant, horse, person } from '../shapes/living.mjs';
import { hills, palm, peaks, rain } from '../shapes/nature.mjs';
import { glow, H, MOODS, sky, W } from './light.mjs';

/** Rows of a field running to the horizon. `on`: what is in it. */
export function field({ mood = 'dawn', crop = C.turmeric, soil = C.leaf, on = 'person', seed = 'f', sun = 300 }) {
  const [top, low, far, dark, light] = MOODS[mood];
  const rows = repeat(27, (i) => { const x = -2400 + i * 230; return polygon(`${640 + (x - 640) * 0.06},400 ${640 + (x + 120 - 640) * 0.06},400 ${x + 120},720 ${x},720`, crop); });
  const guest = { person: person(760, 560, 230, dark, { hair: 'bun' }), sit: person(480, 600, 300, dark, { pose: 'sit', hair: 'long' }), two: person(500, 520, 180, dark, { pose: 'walk' }) + person(600, 524, 110, dark, { pose: 'walk' }), none: '' }[on];
  return sky([top, low]) + glow(sun, 220, 420, light, 0.8) + circle(sun, 230, 66, light) + hills(W, 400, 420, mix(far, low, 0.4), seed, 90) + rect(0, 398, W, 330, soil) + rows + guest;
}

/** A road into the hills. `on`: bicycle, walker, umbrella or van. */
export function road({ mood = 'storm', on = 'umbrella', wet = true, seed = 'r' }) {
  const [top, low, far, dark, light] = MOODS[mood];
  const rider = group('translate(640 0)', bicycle(0, 640, 250, dark, 8) + group('rotate(8 0 500)', person(-14, 606, 200, dark, { pose: 'sit' })));
  const van = group('translate(700 620)', rect(-150, -130, 260, 116, dark) + path('M110 -92H150Q176 -88 182 -50V-14H110Z', dark) + circle(-84, -8, 30, dark) + circle(112, -8, 30, dark) + rect(122, -80, 34, 30, light)) + glow(900, 590, 120, light, 0.7);
  const guest = { bicycle: rider, walker: person(620, 610, 210, dark, { pose: 'walk' }), umbrella: person(650, 620, 220, dark, { pose: 'walk' }) + umbrella(656, 416, 260, C.ember, { stick: false }) + line('M656 414V520', C.ember, 5), van }[on];
  return sky([top, low]) + glow(640, 360, 420, light, 0.55) + peaks(W, 430, 440, mix(far, low, 0.5), seed, 150, 5) + hills(W, 440, H, far, `${seed}2`, 110) + path('M628 400Q600 450 700 500Q820 560 300 720H1060Q900 600 780 520Q650 450 650 400Z', mix(low, dark, 0.25)) + palm(210, 690, 420, dark, { lean: 0.14, seed }) + palm(1110, 660, 350, dark, { lean: -0.16, seed: `${seed}3` }) + guest + (wet ? rain(W, H, light, seed, { count: 210, opacity: 0.42, long: 80 }) : '');
}

/** High pasture. */
export function mountains({ mood = 'dawn', seed = 'm', riders = 0, tent = true, near = false }) {
  const [top, low, far, dark, light] = MOODS[mood];
  const beasts = near ? horse(520, 700, 760, C.lime) + person(1010, 705, 420, dark) : horse(840, 590, 230, C.lime, -1) + person(600, 590, 130, dark);
  return sky([top, low]) + glow(930, 180, 400, light, 0.8) + peaks(W, 420, 470, mix(far, low, 0.55), seed, 300, 4) + peaks(W, 470, 540, mix(far, low, 0.15), `${seed}b`, 190, 6) + hills(W, 560, H, mix(C.leafLight, C.leaf, 0.5), `${seed}c`, 60) + hills(W, 640, H, mix(C.leaf, C.night, 0.25), `${seed}d`, 50) + (tent ? path('M180 610Q190 520 300 500Q410 520 420 610Z', C.lime) + rect(280, 556, 40, 54, dark) + line('M180 584H420', C.laterite, 7) : '') + beasts + repeat(riders, (i) => horse(160 + i * 110, 640, 90, dark));
}

/** White flats with a mirage. */
export function desert({ seed = 'd', window = false }) {
  const dark = C.lampBlack;
  const flats = sky([C.leafLight, C.paper, C.lit]) + rect(0, 410, W, 310, mix(C.paper, C.turmeric, 0.18)) + rect(0, 404, W, 5, C.leafLight) + repeat(16, (i) => line(`M${(i * 297) % W} ${430 + i * 17}h${90 + (i * 71) % 240}`, mix(C.turmeric, C.laterite, 0.3), 2.5, 'opacity=".45"')) + person(860, 430, 92, dark, { pose: 'short' }) + group('translate(0 862) scale(1 -1)', person(860, 430, 92, dark, { pose: 'short' }), 'opacity=".25"') + glow(260, 130, 420, C.paper, 1);
  if (!window) return flats + rect(200, 250, 250, 200, C.lime) + polygon('180,250 470,250 470,232 180,232', C.laterite) + rect(290, 300, 70, 70, dark) + rect(0, 440, W, 4, mix(C.turmeric, C.laterite, 0.3), 'opacity=".6"');
  const threads = repeat(34, (i) => line(`M${330 + i * 18} 96V624`, i % 5 ? C.lit : C.ember, 2, 'opacity=".34"'));
  return flats + path(`M0 0H${W}V${H}H0ZM300 90V630H960V90Z`, mix(C.laterite, C.night, 0.72), 'fill-rule="evenodd"') + rect(286, 626, 690, 26, C.laterite) + threads + person(190, 740, 560, '#0A0605', { pose: 'stand', hair: 'bun' });
}

/** A small railway platform. */
export function station({ mood = 'dusk', moving = true, seed = 'z', count = 4, items = false }) {
  const [top, low, far, dark, light] = MOODS[mood];
  const dice = random(seed);
  return sky([top, low]) + glow(1040, 260, 480, light, 0.7) + palm(1180, 520, 330, far, { lean: -0.1, seed }) + palm(1060, 520, 260, far, { lean: 0.12, seed: `${seed}1` }) + (moving ? train(-20, 520, 900, 210, dark, C.turmeric) : rect(0, 500, W, 12, far)) + polygon('0,520 1280,520 1280,720 0,720', mix(dark, low, 0.42)) + rect(0, 540, W, 10, light, 'opacity=".35"') + path('M0 120H620L680 176H0Z', dark) + rect(560, 170, 18, 400, dark) + rect(180, 170, 18, 400, dark) + circle(500, 240, 52, light) + circle(500, 240, 44, C.paper) + line('M500 240V208M500 240L524 254', dark, 6) + repeat(count, (i) => person(700 + i * 120 + dice.between(-20, 20), 640, 210 + dice.between(-30, 20), dark, { pose: i % 2 ? 'walk' : 'stand', hair: dice.pick(['bun', 'short', 'long']), flip: i % 2 ? 1 : -1 })) + (items ? repeat(5, (i) => umbrella(120 + i * 100, 600, 120, [C.ember, C.leafLight, C.turmeric, C.lime, C.laterite][i])) : '');
}

/** The herd. */
export function herd({ mood = 'night', count = 4, fire = true }) {
  const [top, low, far, dark, light] = MOODS[mood];
  return sky([top, low, dark]) + glow(980, 150, 320, light, 0.55) + circle(980, 150, 50, light) + hills(W, 420, H, far, 'herd', 120) + repeat(count, (i) => elephant(1120 - i * 290, 640 - (i % 2) * 26, 420 - i * 44, mix(far, dark, 0.35 + i * 0.15), mix(far, low, 0.35), C.lime)) + rect(0, 636, W, 90, dark) + (fire ? repeat(5, (i) => glow(110 + i * 90, 606 - (i % 2) * 24, 110, C.ember, 0.9) + circle(110 + i * 90, 606 - (i % 2) * 24, 9, C.lit) + person(126 + i * 90, 690, 120, '#030404')) : '');
}

/** Windmills on a ridge. */
export function windmills({ mood = 'dusk', count = 4, seed = 'w' }) {
  const [top, low, far, dark, light] = MOODS[mood];
  const mill = (x, y, h, turn) => polygon(`${x - h * 0.03},${y} ${x + h * 0.03},${y} ${x + h * 0.012},${y - h} ${x - h * 0.012},${y - h}`, dark) + group(`translate(${x} ${y - h}) rotate(${turn})`, repeat(3, (i) => group(`rotate(${i * 120})`, path(`M0 0Q${h * 0.06} ${-h * 0.2} ${h * 0.012} ${-h * 0.62}L${-h * 0.012} ${-h * 0.62}Q${-h * 0.02} ${-h * 0.2} 0 0Z`, dark))) + circle(0, 0, h * 0.028, dark));
  return sky([top, low]) + glow(420, 330, 480, light, 0.75) + circle(420, 330, 80, light) + hills(W, 520, H, far, seed, 90) + repeat(count, (i) => mill(170 + i * 330, 590 - (i % 2) * 40, 250 + ((i * 97) % 170), i * 37)) + hills(W, 640, H, dark, `${seed}2`, 50) + person(700, 640, 96, dark) + person(744, 642, 68, dark);
}
