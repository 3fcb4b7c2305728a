import { C, mix } from '../lib/palette.mjs';
import { block } from '../lib/alphabet.mjs';
import { random, repeat } from '../lib/random.mjs';
import { circle, clip, group, letters, line, lines, path, polygon, rect, text } from '../lib/svg.mjs';
import { boatman, canoe, flame, house, lamp } from '../shapes/craft.mjs';
import { glitter, rain, wave } from '../shapes/nature.mjs';
import { person } from '../shapes/living.mjs';
import { umbrella } from '../shapes/craft.mjs';
import { credits } from './credits.mjs';

const W = 720;
const H = 1080;

/** Posters about rain, rivers and the sea, by film. */
export const water = {
  'the-rain-road': (film) => {
    const road = 'M300 1080C120 930 640 860 520 730C420 630 240 640 330 540C400 470 396 450 372 408L384 408C420 450 440 480 392 548C350 630 560 620 650 720C760 870 420 930 620 1080Z';
    return rect(0, 0, W, H, C.leaf) + path('M0 420Q180 340 360 402T720 370V1080H0Z', mix(C.leaf, C.night, 0.4)) + group('translate(96 0)', path(road, C.lit)) + rain(W, H, C.leafLight, 'road', { count: 170, opacity: 0.75, long: 120 }) +
      person(574, 905, 120, C.night, { pose: 'walk' }) + umbrella(576, 800, 150, C.ember, { stick: false }) + line('M576 800V860', C.ember, 4) +
      text(360, 190, film.original_title, { size: 150, fill: C.lit, anchor: 'middle', fit: 624 }) + lines(48, 290, ['The Rain', 'Road'], { size: 78, fill: C.lime }) + credits(film, C.lime, { x: 48, y: 1036 });
  },
  'the-eighth-wave': (film) => {
    const shades = [0, 0.14, 0.28, 0.42, 0.56, 0.7, 0.84];
    const seven = shades.map((share, i) => wave(0, 360 + i * 66, W, H, mix(C.leafLight, C.leaf, share), { size: 34 + i * 3, length: 200 + i * 16, shift: i * 57 })).join('');
    return rect(0, 0, W, H, C.lime) + circle(540, 230, 128, C.turmeric) + seven + wave(0, 838, W, H, C.ember, { size: 70, length: 480, shift: 120 }) +
      group('rotate(-9 250 782)', canoe(250, 786, 230, C.night, boatman(C.night, 40) + boatman(C.night, -34))) +
      text(48, 172, film.original_title, { size: 96, fill: C.leaf }) + lines(48, 254, ['The Eighth', 'Wave'], { size: 60, fill: C.leaf, weight: 500, stretch: 90 }) + credits(film, C.night);
  },
  'what-the-water-wrote': (film) => {
    const word = (fill) => text(360, 470, film.original_title, { size: 200, fill, anchor: 'middle', fit: 640 });
    // The reflection: the same word upside down, cut into strips that drift more the deeper they lie.
    const strips = repeat(34, (i) => clip(`strip${i}`, rect(-200, 498 + i * 11, 1200, 10.9 - i * 0.13, C.night), group(`translate(${(Math.sin(i * 0.42) * (2 + i * 0.42)).toFixed(1)} 0)`, group('translate(0 2058) scale(1 -3.2)', word(mix(C.leafLight, C.leaf, i / 50))))));
    return rect(0, 0, W, 490, C.lit) + rect(0, 490, W, 590, C.leaf) + word(C.night) + strips + rect(0, 487, W, 6, C.night) +
      text(48, 110, film.title, { size: 62, fill: C.night, weight: 500, stretch: 100 }) + rain(W, 480, C.night, 'wrote', { count: 40, opacity: 0.16 }) + credits(film, C.lit);
  },
  'the-lamp-at-the-landing': (film) => {
    return rect(0, 0, W, H, C.night) + polygon('440,330 -180,1080 1060,1080', mix(C.night, C.turmeric, 0.1)) + circle(440, 300, 250, mix(C.night, C.turmeric, 0.13)) + circle(440, 300, 160, mix(C.night, C.turmeric, 0.24)) +
      lamp(440, 746, 520, C.turmeric, C.lit) + rect(0, 746, W, 334, mix(C.night, C.leaf, 0.55)) + path('M170 746H720V790H120Z', C.lampBlack) + path('M210 790H720V830H180Z', mix(C.night, C.leaf, 0.25)) + glitter(470, 846, 210, 190, C.turmeric, 'landing', 22) +
      text(48, 92, film.original_title, { size: 64, fill: C.lit }) + lines(48, 148, ['The Lamp', 'at the Landing'], { size: 44, fill: C.lit, weight: 300, stretch: 110, leading: 1.05 }) + credits(film, C.lit, { y: 1040, size: 22 });
  },
  'the-name-of-the-boat': (film) => {
    const dice = random('names');
    const signs = [...'নাওৰনামঅসমকখগঘচজতদপবমৰলহ'].filter((sign) => /[\u0985-\u09B9\u09F0]/.test(sign));
    const cloud = repeat(46, (i) => { const [x, y] = [40 + (i % 6) * 128 + dice.between(-20, 20), 110 + Math.floor(i / 6) * 128 + dice.between(-22, 22)]; return text(x.toFixed(0), y.toFixed(0), dice.pick(signs), { size: dice.between(58, 110).toFixed(0), fill: mix(C.leafLight, C.leaf, dice.between(0.16, 0.42)), weight: 600 }); });
    const hull = 'M360 96Q560 380 500 760Q460 920 360 984Q260 920 220 760Q160 380 360 96Z';
    return rect(0, 0, W, H, C.leafLight) + cloud + path(hull, C.laterite) + path('M360 170Q514 410 468 742Q436 860 360 912Q284 860 252 742Q206 410 360 170Z', C.lampBlack) + repeat(5, (i) => rect(236 - (i === 2 ? 4 : 0), 380 + i * 92, 248 + (i === 2 ? 8 : 0), 22, C.turmeric)) +
      rect(262, 548, 196, 74, C.lime) + text(360, 320, film.original_title, { size: 60, fill: C.lime, anchor: 'middle' }) + rect(0, 940, W, 140, C.leafLight) + text(48, 990, film.title, { size: 64, fill: C.night }) + credits(film, C.night, { y: 1056, size: 22 });
  },
  'sea-grass': (film) => {
    const dice = random('grass');
    const blades = repeat(44, (i) => {
      const x = (i * 733) % 760 - 20;
      const [top, sway, w] = [dice.between(230, 620), dice.between(-90, 90), dice.between(9, 24)];
      const d = `M${x} 1080C${x + sway} ${900} ${x - sway} ${720} ${x + sway * 0.6} ${top}C${x - sway + w} 730 ${x + sway + w} 900 ${x + w * 1.6} 1080Z`;
      return path(d, mix(C.leafLight, C.leaf, dice.next()));
    });
    return rect(0, 0, W, H, mix(C.leaf, C.night, 0.35)) + polygon('470,0 700,0 520,1080 60,1080', mix(C.leaf, C.leafLight, 0.28)) + blades + `<circle cx="446" cy="744" r="58" fill="none" stroke="${C.turmeric}" stroke-width="17"/>` + path('M404 1080C470 900 420 840 480 700C470 850 520 930 436 1080Z', C.leafLight) +
      text(48, 140, film.original_title, { size: 88, fill: C.lit, weight: 700, stretch: 100 }) + text(48, 214, film.title, { size: 72, fill: C.lit, weight: 200, stretch: 125 }) + path('M0 990Q180 950 400 984T720 970V1080H0Z', mix(C.leaf, C.night, 0.5)) + credits(film, C.lit, { y: 1052 });
  },
  'a-house-above-the-tide': (film) => {
    const rows = ['A HOUSE', 'ABOVE', 'THE', 'TIDE'];
    const stack = rows.map((row, i) => letters(block(row, 60, 420 + i * 142, 600, 128), i < 1 ? C.laterite : mix(C.laterite, C.leaf, 0.25 + i * 0.22))).join('');
    return rect(0, 0, W, H, C.lime) + circle(170, 170, 86, C.turmeric) + house(380, 412, 330, C.lampBlack, C.laterite, C.lit) + stack + wave(0, 590, W, H, C.leaf, { size: 22, length: 240 }).replace('/>', ' opacity=".82"/>') + wave(0, 720, W, H, C.leaf, { size: 22, length: 240, shift: 90 }).replace('/>', ' opacity=".5"/>') + clip('ceil', rect(0, 560, W, 440, C.leaf), rows.slice(1).map((row, i) => letters(block(row, 60, 562 + i * 142, 600, 128), mix(C.leafLight, C.leaf, 0.2 + i * 0.24))).join('')) +
      text(48, 66, film.original_title, { size: 34, fill: C.night, weight: 500, stretch: 100 }) + credits(film, C.lit);
  },
  'three-oil-lamps': (film) => {
    const glow = (x, y, r, fill) => circle(x, y, r, fill, 'style="mix-blend-mode:screen"');
    const drop = (x, y, size, fill) => flame(x, y, size, fill);
    return rect(0, 0, W, H, C.lampBlack) + glow(220, 620, 270, '#7E2212') + glow(500, 620, 270, '#5C4310') + glow(360, 400, 270, '#12443A') + drop(220, 740, 250, C.ember) + drop(500, 740, 250, C.turmeric) + drop(360, 520, 250, C.leafLight) + drop(220, 732, 120, C.lit) + drop(500, 732, 120, C.lit) + drop(360, 512, 120, C.lit) +
      [[220, 744], [500, 744], [360, 524]].map(([x, y]) => path(`M${x - 92} ${y}H${x + 92}Q${x + 70} ${y + 44} ${x} ${y + 44}Q${x - 70} ${y + 44} ${x - 92} ${y}Z`, C.lime)).join('') +
      text(360, 900, film.original_title, { size: 60, fill: C.lit, weight: 800, stretch: 75, anchor: 'middle', fit: 560, more: 'font-family="\'Noto Sans Variable\'"' }) + text(360, 956, film.title, { size: 40, fill: C.lit, weight: 300, stretch: 115, anchor: 'middle' }) + credits(film, C.lit, { x: 360, anchor: 'middle', y: 1044, size: 22 });
  },
};
