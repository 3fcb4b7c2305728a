import { C, mix } from '../lib/palette.mjs';
import { random, repeat } from '../lib/random.mjs';
import { circle, clip, group, line, lines, path, polygon, rect, text } from '../lib/svg.mjs';
import { bicycle, train, umbrellaTop } from '../shapes/craft.mjs';
import { elephant, horse, mask, person } from '../shapes/living.mjs';
import { credits } from './credits.mjs';

const W = 720;
const H = 1080;

/** Posters that show one object large, by film. */
export const objects = {
  'painted-face': (film) => rect(0, 0, W, H, C.lampBlack) + mask(700, 560, 1020, { skin: mix(C.leaf, C.leafLight, 0.28), dark: C.lampBlack, light: C.lime, red: C.laterite, gold: C.turmeric }) +
    group('translate(150 1032) rotate(-90)', text(0, 0, film.original_title, { size: 150, fill: C.lit, fit: 620 })) + group('translate(206 1032) rotate(-90)', text(0, 0, film.title, { size: 40, fill: C.lit, weight: 300, stretch: 125 })) + lines(48, 66, ['A film by', ...film.director.split(' ')], { size: 24, fill: C.lit, weight: 600, stretch: 90, leading: 1.1 }) + text(48, 152, `${film.minutes} minutes`, { size: 20, fill: C.lit, weight: 400, stretch: 100 }),
  'umbrellas-without-owners': (film) => {
    const fills = [C.laterite, C.leaf, C.night, C.ember, C.leafLight, C.turmeric];
    const tops = repeat(20, (i) => {
      const [column, row] = [i % 4, Math.floor(i / 4)];
      const [x, y] = [90 + column * 180, 90 + row * 180];
      if (row === 3 && column === 1) return '';
      if (row === 4 && column > 0) return '';
      return umbrellaTop(x, y, 96, fills[(i * 5 + row) % 6], C.lit, ((i * 37) % 45) / 57);
    });
    return rect(0, 0, W, H, C.lit) + tops + `<circle cx="270" cy="630" r="70" fill="none" stroke="${C.night}" stroke-width="4" stroke-dasharray="3 14" stroke-linecap="round"/>` + person(270, 664, 66, C.night) + lines(208, 838, ['Umbrellas', 'Without Owners'], { size: 78, fill: C.night }) + text(208, 972, film.original_title, { size: 46, fill: C.laterite, weight: 600, stretch: 90 }) + credits(film, C.night, { x: 208, y: 1046, size: 23 });
  },
  'the-turmeric-bicycle': (film) => {
    const dice = random('dust');
    const dust = repeat(90, () => { const t = dice.next(); return circle((360 - t * 420 + dice.between(-60, 60)).toFixed(0), (930 - t * t * 260 + dice.between(-70, 60)).toFixed(0), (dice.between(2, 26) * t).toFixed(1), C.turmeric); });
    return rect(0, 0, W, H, C.lampBlack) + rect(0, 940, W, 140, C.turmeric) + dust + bicycle(400, 940, 700, C.turmeric, 20) + text(48, 190, film.original_title, { size: 150, fill: C.turmeric, fit: 624 }) + lines(48, 290, ['The Turmeric', 'Bicycle'], { size: 74, fill: C.lime, weight: 500 }) + credits(film, C.lampBlack, { y: 1046 });
  },
  'a-window-on-the-white-desert': (film) => {
    const stitch = repeat(9, (r) => repeat(9, (c) => { const [x, y] = [296 + c * 16, 446 + r * 16]; const ring = Math.max(Math.abs(r - 4), Math.abs(c - 4)); return ring === 4 || ring === 2 || ring === 0 ? polygon(`${x},${y - 7} ${x + 7},${y} ${x},${y + 7} ${x - 7},${y}`, [C.turmeric, '', C.laterite, '', C.leaf][ring]) : circle(x, y, 3, C.laterite); }));
    return rect(0, 0, W, H, C.paper) + rect(0, 690, W, 390, mix(C.paper, C.turmeric, 0.22)) + line('M0 690H720', C.laterite, 3) + rect(258, 408, 204, 212, C.lampBlack) + rect(274, 424, 172, 180, C.lime) + stitch + rect(246, 620, 228, 14, C.laterite) + person(560, 700, 44, C.lampBlack) + text(360, 196, film.original_title, { size: 90, fill: C.lampBlack, anchor: 'middle', fit: 520 }) + text(360, 262, film.title, { size: 40, fill: C.laterite, anchor: 'middle', weight: 500, stretch: 90 }) + credits(film, C.lampBlack, { x: 360, anchor: 'middle' });
  },
  'the-night-of-the-elephants': (film) => rect(0, 0, W, H, C.leaf) + circle(566, 236, 96, C.lit) + elephant(500, 620, 620, mix(C.leaf, C.night, 0.3), mix(C.leaf, C.night, 0.1), C.lime) + elephant(220, 780, 700, mix(C.leaf, C.night, 0.62), mix(C.leaf, C.night, 0.35), C.lime) + elephant(560, 900, 300, mix(C.leaf, C.night, 0.85), C.leaf, C.lime) + rect(0, 880, W, 200, C.night) + train(-10, 912, 470, 46, C.laterite, C.lit) + polygon('460,872 720,850 720,930 460,900', C.lit) + line('M0 914H720', C.turmeric, 4) + text(48, 118, film.original_title, { size: 66, fill: C.lit, fit: 400 }) + lines(48, 172, ['The Night', 'of the Elephants'], { size: 46, fill: C.lit, weight: 500, stretch: 85 }) + credits(film, C.lit, { y: 1038 }),
  'the-tide-room': (film) => {
    const keys = repeat(8, (i) => rect(i * 90 + 3, 640, 84, 440, C.lime)) + [0, 1, 3, 4, 5, 7].map((i) => rect(i * 90 + 62, 640, 56, 250, C.night)).join('');
    const swell = 'M-20 700C120 560 220 760 360 660C500 570 600 740 740 620V1100H-20Z';
    return rect(0, 0, W, H, C.ember) + circle(250, 380, 190, C.lime) + clip('swell', path(swell, C.night), rect(0, 500, W, 600, C.leaf) + keys) + line('M-20 700C120 560 220 760 360 660C500 570 600 740 740 620', C.lime, 10) + group('translate(596 96)', repeat(4, (i) => text(0, 110 + i * 124, [...film.original_title][i], { size: 118, fill: C.night, weight: 900, anchor: 'middle' }))) + lines(48, 108, ['The Tide', 'Room'], { size: 70, fill: C.night, weight: 700 }) + rect(0, 984, W, 96, C.leaf) + credits(film, C.lime, { y: 1052, size: 23 });
  },
  'the-third-garden': (film) => {
    const dice = random('seeds');
    const seeds = repeat(64, (i) => { const angle = i * 2.399; const r = 17 * Math.sqrt(i + 0.6); const [x, y] = [360 + Math.cos(angle) * r * 1.25, 660 + Math.sin(angle) * r * 1.25]; return group(`translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${((angle * 180) / Math.PI + 90).toFixed(0)})`, path('M0 -13Q13 2 0 13Q-13 2 0 -13Z', dice.next() > 0.2 ? C.ember : C.lit)); });
    const wall = path('M0 0H720V1080H0ZM110 1080V560Q110 330 360 210Q610 330 610 560V1080Z', C.leaf, 'fill-rule="evenodd"');
    return rect(0, 0, W, H, C.lit) + circle(360, 660, 226, C.laterite) + circle(360, 660, 204, C.lime) + circle(360, 660, 192, C.laterite) + seeds + path('M330 442L318 386L346 408L360 372L374 408L402 386L390 442Z', C.laterite) + wall + repeat(19, (i) => polygon(`${i * 40},0 ${i * 40 + 20},26 ${i * 40 + 40},0`, C.turmeric)) + text(360, 176, film.original_title, { size: 110, fill: C.lit, anchor: 'middle', weight: 900 }) + text(360, 952, film.title, { size: 58, fill: C.laterite, anchor: 'middle' }) + credits(film, C.night, { x: 360, anchor: 'middle', y: 1034, size: 23 });
  },
  'moon-over-the-paddy': (film) => {
    const terraces = repeat(9, (i) => { const y = 470 + i * 66; return path(`M0 ${y}Q180 ${y - 30 + (i % 2) * 50} 360 ${y}T720 ${y}V${y + 80}H0Z`, i % 2 ? mix(C.leaf, C.leafLight, 0.22) : C.leaf); });
    const moons = repeat(9, (i) => { const y = 470 + i * 66; return clip(`m${i}`, path(`M0 ${y + 14}Q180 ${y - 16 + (i % 2) * 50} 360 ${y + 14}T720 ${y + 14}V${y + 56}Q540 ${y + 70} 360 ${y + 56}T0 ${y + 56}Z`, C.lit), circle(430 + Math.sin(i * 1.9) * 26, 700, 210, C.lit)); });
    return rect(0, 0, W, H, C.night) + circle(430, 268, 150, C.lit) + terraces + moons + rect(96, 420, 8, 60, C.night) + text(48, 116, film.original_title, { size: 84, fill: C.lit, weight: 700, stretch: 75, fit: 330 }) + lines(48, 190, ['Moon over', 'the Paddy'], { size: 54, fill: C.lit, weight: 400, stretch: 90 }) + person(130, 466, 70, C.lime) + person(172, 468, 46, C.lime) + path('M0 968Q180 930 360 968T720 968V1080H0Z', C.leaf) + credits(film, C.lit, { y: 1048 });
  },
  'a-house-beyond-the-river': (film) => {
    const home = (wall, roof, light) => rect(170, 420, 380, 330, wall) + polygon('130,430 360,230 590,430', roof) + rect(320, 560, 90, 190, light) + rect(210, 490, 74, 84, light) + rect(446, 490, 74, 84, light) + rect(170, 750, 380, 20, roof);
    const river = 'M560 0C420 300 600 420 330 640C140 800 260 960 120 1080H250C360 960 250 820 430 690C720 470 520 300 690 0Z';
    return rect(0, 0, W, H, C.ember) + group('translate(-46 -24)', home(C.lime, C.laterite, C.lampBlack)) + clip('right', path('M625 0C470 300 660 440 380 665C190 810 310 960 180 1080H720V0Z', C.night), rect(0, 0, W, H, C.leafLight) + group('translate(46 40)', home(C.turmeric, C.leaf, C.lampBlack))) + path(river, C.leaf) + line('M560 190q16 -12 32 0t32 0M528 330q16 -12 32 0t32 0M500 520q16 -12 32 0t32 0M360 690q16 -12 32 0t32 0M230 830q16 -12 32 0t32 0M200 970q16 -12 32 0t32 0', C.leafLight, 5) + lines(48, 120, ['নদীর', 'ওপারে ঘর'], { size: 92, fill: C.lampBlack }) + lines(672, 880, ['A House', 'Beyond', 'the River'], { size: 58, fill: C.lampBlack, anchor: 'end' }) + credits(film, C.lampBlack, { x: 672, anchor: 'end', y: 1052, size: 22 });
  },
  'where-the-horse-stood': (film) => rect(0, 0, W, H, C.lime) + rect(0, 0, W, 500, mix(C.leafLight, C.lime, 0.35)) + path('M0 560L120 430L190 480L380 300L520 450L600 400L720 520V760H0Z', C.leaf) + path('M380 300L330 347L372 372L410 350L440 364Z', C.lime) + path('M0 700L160 610L330 680L540 570L720 660V760H0Z', mix(C.leaf, C.night, 0.45)) + horse(330, 760, 520, C.lime) + rect(0, 758, W, 322, C.turmeric) + polygon('190,760 470,760 640,1080 60,1080', mix(C.turmeric, C.laterite, 0.2)) + person(610, 760, 150, C.laterite) + lines(48, 120, ['Where the', 'Horse Stood'], { size: 88, fill: C.night }) + text(48, 268, film.original_title, { size: 46, fill: C.laterite, weight: 700, stretch: 90 }) + credits(film, C.night),
};
