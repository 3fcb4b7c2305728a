import { C, mix } from '../lib/palette.mjs';
import { block, wedge } from '../lib/alphabet.mjs';
import { random, repeat } from '../lib/random.mjs';
import { circle, clip, group, letters, line, lines, path, polygon, rect, text } from '../lib/svg.mjs';
import { papers } from '../shapes/craft.mjs';
import { person } from '../shapes/living.mjs';
import { palm } from '../shapes/nature.mjs';
import { credits } from './credits.mjs';

const W = 720;
const H = 1080;

/** Posters whose picture is made of letters or of pure geometry, by film. */
export const typographic = {
  'salt-wind': (film) => {
    const word = letters(block('SALT', 60, 200, 600, 330), C.laterite) + letters(block('WIND', 60, 560, 600, 330), C.laterite);
    // Wind from the left: every strip of the word is carried a little further than the one below.
    const strips = repeat(46, (i) => clip(`s${i}`, rect(-200, 190 + i * 15.5, 1200, 7 + (i / 45) * 8.6, C.night), group(`translate(${(((45 - i) / 45) ** 1.5 * 78 + Math.sin(i * 0.55) * (10 + ((45 - i) / 45) * 26)).toFixed(1)} 0)`, word)));
    return rect(0, 0, W, H, C.lime) + circle(96, 130, 46, C.turmeric) + strips + text(672, 152, film.original_title, { size: 74, fill: C.night, anchor: 'end' }) + credits(film, C.night);
  },
  'the-last-windmill': (film) => {
    const blade = (word, turn, fill, reach) => group(`translate(392 470) rotate(${turn})`, letters(wedge(word, { x0: 44, x1: reach, origin: -10, top: (x) => -6 - x * 0.17, bottom: (x) => 8 + x * 0.04 }), fill));
    return rect(0, 0, W, H, C.turmeric) + polygon('380,470 404,470 424,1080 356,1080', C.night) + blade('WINDMILL', 126, C.night, 600) + blade('LAST', -118, C.laterite, 470) + blade('THE', 4, C.night, 320) + circle(392, 470, 30, C.lime) + person(560, 1000, 90, C.night) + person(606, 1000, 66, C.night) + rect(0, 998, W, 82, C.night) +
      text(672, 120, film.original_title, { size: 66, fill: C.night, anchor: 'end', fit: 400 }) + credits(film, C.turmeric, { y: 1058, size: 22 });
  },
  'the-clay-sang': (film) => {
    const rings = repeat(15, (i) => circle(360, 470, 400 - i * 25, i % 2 ? C.laterite : mix(C.laterite, C.lampBlack, 0.35 + i * 0.02)));
    const ring = `<path id="ring" d="M360 470m-248 0a248 248 0 1 1 496 0a248 248 0 1 1 -496 0" fill="none"/><text font-size="64" fill="${C.lit}" font-weight="800" font-stretch="75%" letter-spacing=".05em"><textPath href="#ring">The Clay Sang   ${film.original_title}   The Clay Sang   ${film.original_title}</textPath></text>`;
    return rect(0, 0, W, H, C.ember) + rings + circle(360, 470, 226, C.lampBlack) + path('M360 280C470 290 520 420 460 520C430 590 396 620 396 660H324C324 620 290 590 260 520C200 420 250 290 360 280Z', C.ember) + `<ellipse cx="360" cy="300" rx="62" ry="18" fill="${C.lampBlack}"/>` + ring + lines(48, 960, ['The Clay Sang'], { size: 84, fill: C.lampBlack }) + credits(film, C.lampBlack, { y: 1044 });
  },
  'the-seventh-door': (film) => {
    const shades = [C.laterite, C.turmeric, C.leaf, C.ember, C.leafLight, C.laterite, C.lit];
    const doors = shades.map((fill, i) => { const [w, h] = [560 - i * 74, 900 - i * 116]; return rect(360 - w / 2 + i * 9, 1000 - h - i * 12, w, h, fill); }).join('');
    return rect(0, 0, W, H, C.lampBlack) + doors + polygon('356,928 472,928 620,1080 200,1080', C.lit) + person(412, 926, 112, C.night) + rect(0, 0, W, 92, C.lampBlack) + text(48, 68, film.original_title, { size: 58, fill: C.lit }) + text(672, 66, film.title, { size: 34, fill: C.lit, weight: 500, stretch: 90, anchor: 'end' }) + credits(film, C.night, { x: 412, y: 1062, anchor: 'middle', size: 20 });
  },
  'shadow-of-a-palm': (film) => {
    const shade = group('translate(560 250) rotate(36) scale(1 2.15) rotate(180)', palm(0, 0, 330, C.night, { lean: 0.06, seed: 'shade' }));
    return rect(0, 0, W, H, C.turmeric) + rect(0, 0, W, 252, C.ember) + shade + palm(560, 254, 210, C.night, { lean: 0.06, seed: 'shade' }) + person(600, 690, 74, C.night) + polygon('596,690 604,690 520,806 508,800', C.night) + group('translate(96 470) rotate(0)', lines(-48, 0, ['Shadow', 'of a Palm'], { size: 82, fill: C.night })) + text(48, 92, film.original_title, { size: 62, fill: C.night }) + credits(film, C.night, { x: 672, anchor: 'end' });
  },
  'mustard-shade': (film) => {
    const dice = random('mustard');
    const field = repeat(20, (row) => { const t = row / 19; const y = 506 + t ** 1.5 * 600; const r = 5 + t ** 1.4 * 26; const gap = r * 2.5; return repeat(Math.ceil(W / gap) + 2, (i) => circle(((i - 0.5 + (row % 2) * 0.5) * gap + dice.between(-2, 2)).toFixed(1), y.toFixed(1), r.toFixed(1), dice.next() > 0.86 ? C.lit : C.turmeric)); });
    const cord = line('M0 150Q180 240 360 150T720 150M0 190Q180 280 360 190T720 190', C.night, 3);
    return rect(0, 0, W, H, C.leaf) + rect(0, 0, W, 480, C.leafLight) + circle(584, 384, 96, C.lime) + rect(0, 478, W, 12, C.night) + field + cord + [90, 290, 470, 650].map((x, i) => person(x, 486, [96, 86, 92, 70][i], C.night, { pose: i === 3 ? 'sit' : 'stand' })).join('') + text(48, 108, film.original_title, { size: 76, fill: C.night }) + text(48, 300, film.title, { size: 66, fill: C.night, weight: 300, stretch: 110 }) + rect(0, 974, W, 106, C.night) + credits(film, C.turmeric, { y: 1050 });
  },
  'a-letter-of-salt': (film) => {
    return rect(0, 0, W, H, C.turmeric) + rect(60, 300, 600, 600, C.paper) + polygon('60,300 660,300 360,640', C.lime) + line('M60 300L360 640L660 300M60 900L290 562M660 900L430 562', mix(C.lime, C.lampBlack, 0.3), 3) + polygon('60,900 230,690 300,760 400,622 520,770 570,720 660,900', C.leafLight) + polygon('60,900 200,760 300,840 420,720 560,850 660,900', C.lime) + circle(360, 586, 62, C.laterite) + text(360, 606, film.original_title.slice(0, 1), { size: 58, fill: C.paper, anchor: 'middle' }) +
      text(60, 176, film.original_title, { size: 120, fill: C.night, fit: 600 }) + text(60, 250, film.title, { size: 56, fill: C.laterite, weight: 600, stretch: 90 }) + credits(film, C.night, { x: 60 });
  },
  'post-office-of-the-wind': (film) => {
    const flight = (t) => [250 + Math.sin(t * 7) * 190 * (0.4 + t) + t * 130, 660 - t * 610, 0.45 + t * 0.75];
    return rect(0, 0, W, H, C.leafLight) + path('M0 900Q200 850 400 900T720 880V1080H0Z', C.leaf) + papers(26, 'wind', flight, 40, [C.paper, C.lit, C.lime]) + rect(228, 850, 44, 110, C.night) + path('M150 640Q150 570 250 570Q350 570 350 640V860H150Z', C.laterite) + rect(182, 664, 136, 20, C.night) + circle(250, 752, 34, C.lime) + text(250, 768, '우', { size: 42, fill: C.laterite, anchor: 'middle' }) +
      lines(672, 620, ['바람의', '우체국'], { size: 112, fill: C.night, anchor: 'end', leading: 1.08, weight: 900 }) + lines(672, 800, ['Post Office', 'of the Wind'], { size: 50, fill: C.night, anchor: 'end', weight: 600 }) + credits(film, C.lit);
  },
};
