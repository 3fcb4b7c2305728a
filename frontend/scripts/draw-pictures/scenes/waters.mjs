import { C, mix } from '../lib/palette.mjs';
import { random, repeat } from '../lib/random.mjs';
import { circle, group, line, path, polygon, rect } from '../lib/svg.mjs';
import { boatman, canoe, house, houseboat, lamp } from '../shapes/craft.mjs';
import { fish, person } from '../shapes/living.mjs';
import { glitter, hills, palm, palmGrove, rain, wave } from '../shapes/nature.mjs';
import { glow, H, MOODS, shaft, sky, W } from './light.mjs';

/** Still water between palms. `boat`: canoe, houseboat or none. */
export function backwater({ mood = 'dusk', boat = 'canoe', sun = 860, seed = 'a', wet = false, near = true, x = 430 }) {
  const [top, low, far, dark, light] = MOODS[mood];
  const at = 430;
  const vessel = { canoe: canoe(x, 560, 420, dark, boatman(dark, 44)), houseboat: houseboat(x + 60, 540, 560, dark, light), none: '' }[boat];
  return sky([top, low, low, top]) + glow(sun, 350, 420, light, 0.7) + circle(sun, 340, 74, light) + hills(W, at - 20, at + 6, mix(far, low, 0.45), seed, 70) + palmGrove(0, at + 4, W, 130, far, seed, 13) + rect(0, at, W, 8, far) + sky([mix(low, far, 0.25), mix(top, dark, 0.35)], 'water').replace('y="0"', `y="${at + 6}"`) + group(`translate(0 ${at * 2 + 10}) scale(1 -1)`, palmGrove(0, at + 4, W, 100, far, seed, 13), 'opacity=".4"') + glitter(sun, at + 10, 360, 270, light, seed, 26) + vessel +
    (near ? palm(1130, 760, 620, dark, { lean: -0.2, seed: `${seed}n` }) + path('M1280 720H900Q1020 660 1280 640Z', dark) : '') + (wet ? rain(W, H, light, seed, { count: 190, opacity: 0.4, long: 70 }) : '');
}

/** The open sea with one boat. */
export function sea({ mood = 'night', seed = 's', swell = 1, crew = 2, moon = 900, tilt = -6 }) {
  const [top, low, far, dark, light] = MOODS[mood];
  const rows = repeat(8, (i) => wave(0, 380 + i * 46, W, H, mix(mix(low, far, 0.4), dark, i / 8), { size: (12 + i * 7) * swell, length: 260 + i * 60, shift: (i * 137) % 300 }) + (i === 3 ? group(`rotate(${tilt} 560 520)`, canoe(560, 540, 400, dark, repeat(crew, (k) => boatman(dark, 46 - k * 78)))) + glow(520, 470, 120, C.turmeric, 0.8) + circle(512, 478, 7, C.lit) : ''));
  return sky([top, low]) + glow(moon, 170, 360, light, 0.5) + circle(moon, 170, 58, light) + glitter(moon, 384, 260, 120, light, seed, 12) + rows;
}

/** Houses on poles over rising water. */
export function stilts({ mood = 'dawn', seed = 't', level = 470 }) {
  const [top, low, far, dark, light] = MOODS[mood];
  const row = [[250, 230, C.laterite], [640, 300, C.ember], [1040, 250, mix(C.leaf, C.night, 0.2)]];
  const homes = (mirror) => row.map(([x, width, roof]) => { const foot = level - (width * 0.18); return repeat(4, (i) => rect(x - width * 0.42 + i * width * 0.27, foot - 4, 9, level - foot + 6, dark)) + house(x, foot, width, mirror ? mix(C.lime, far, 0.3) : C.lime, roof, dark); }).join('');
  return sky([top, low]) + glow(180, 120, 460, light, 0.8) + hills(W, level, level + 20, mix(far, low, 0.6), seed, 120) + homes() + rect(0, level, W, H - level, mix(low, far, 0.55)) + group(`translate(0 ${level * 2}) scale(1 -1)`, homes(true), 'opacity=".32"') + repeat(20, (i) => line(`M${(i * 331) % W} ${level + 16 + i * 12}h${60 + (i * 53) % 160}`, low, 3, 'opacity=".7"')) + canoe(820, 640, 320, dark, boatman(dark, 40)) + person(620, level - 56, 74, dark);
}

/** Below the surface: grass, light from above, a diver or a ring. */
export function underwater({ seed = 'u', diver = true, ring = false }) {
  const dice = random(seed);
  const rays = repeat(6, (i) => shaft(`M${180 + i * 170} -20L${240 + i * 170} -20L${100 + i * 210} 700L${-60 + i * 210} 700Z`, [0, 0], [0, 660], C.leafLight, 0.3));
  const grass = repeat(70, (i) => { const x = (i * 193) % 1320 - 20; const [up, sway, w] = [dice.between(90, ring ? 420 : 300), dice.between(-60, 60), dice.between(6, 17)]; return path(`M${x} 720C${x + sway} ${720 - up * 0.4} ${x - sway} ${720 - up * 0.7} ${x + sway * 0.7} ${720 - up}C${x - sway + w} ${720 - up * 0.7} ${x + sway + w} ${720 - up * 0.4} ${x + w * 1.6} 720Z`, mix(C.leafLight, '#08211C', dice.between(0.25, 1))); });
  const body = group('translate(600 300) rotate(16)', path('M-170 -12Q-120 -34 -40 -30Q40 -34 84 -18L190 -46L206 -34L120 8Q60 26 -40 14Q-130 18 -170 -12Z', '#071613') + circle(-196, -14, 26, '#071613') + line('M-140 0Q-190 60 -250 64', '#071613', 18) + path('M196 -48L286 -86L262 -20Z', '#071613')) + repeat(9, (i) => circle(370 + Math.sin(i) * 14, 236 - i * 28, 4 + (i % 4) * 2, 'none', `stroke="${C.lime}" stroke-width="2" opacity=".7"`));
  return sky([mix(C.leafLight, C.leaf, 0.35), C.leaf, '#06120F']) + rays + (diver ? body : '') + repeat(5, (i) => fish(900 + (i % 3) * 90, 160 + i * 52, 64, mix(C.leaf, C.night, 0.4), C.leafLight, 10)) + grass + (ring ? glow(660, 500, 200, C.turmeric, 0.6) + `<ellipse cx="660" cy="500" rx="96" ry="88" fill="none" stroke="${C.turmeric}" stroke-width="22"/><path d="M600 436A96 88 0 0 1 690 416" fill="none" stroke="${C.lit}" stroke-width="9" stroke-linecap="round"/>` : '');
}

/** A landing stage at night with its lamp. */
export function landing({ seed = 'l', people = 3 }) {
  const [, , far, dark] = MOODS.night;
  return sky(['#0A1518', C.leaf, '#071110']) + palmGrove(0, 420, W, 150, far, seed, 12) + rect(0, 416, W, 10, far) + glow(760, 330, 460, C.turmeric, 0.75) + glitter(760, 440, 330, 260, C.turmeric, seed, 24) + polygon('520,560 1280,560 1280,720 380,720', dark) + rect(560, 540, 720, 26, mix(dark, C.leaf, 0.3)) + lamp(760, 542, 250, C.lampBlack, C.lit) + repeat(people, (i) => person(910 + i * 96, 545, 170 - (i % 2) * 26, dark, { hair: i % 2 ? 'short' : 'bun', flip: i % 2 ? 1 : -1 })) + canoe(240, 560, 320, dark, boatman(dark, 30));
}
