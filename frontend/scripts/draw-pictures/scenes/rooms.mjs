import { C, mix } from '../lib/palette.mjs';
import { random, repeat } from '../lib/random.mjs';
import { circle, clip, group, line, path, polygon, rect } from '../lib/svg.mjs';
import { flame, pot, umbrella } from '../shapes/craft.mjs';
import { mask, person } from '../shapes/living.mjs';
import { palm } from '../shapes/nature.mjs';
import { glow, H, MOODS, shaft, sky, W } from './light.mjs';

const FURNITURE = {
  table: (dark) => rect(640, 500, 380, 22, dark) + rect(670, 520, 18, 160, dark) + rect(972, 520, 18, 160, dark) + rect(760, 470, 44, 30, dark) + circle(880, 486, 16, dark),
  lamps: (dark) => rect(640, 520, 420, 20, dark) + rect(670, 538, 18, 150, dark) + rect(1012, 538, 18, 150, dark) + [720, 850, 980].map((x, i) => glow(x, 470, 190, C.turmeric, 0.75) + path(`M${x - 38} 500H${x + 38}Q${x + 26} 520 ${x} 520Q${x - 26} 520 ${x - 38} 500Z`, C.ember) + flame(x, 500, 60 - i * 8, C.lit)).join(''),
  piano: (shade, dark = mix(shade, C.lime, 0.16)) => rect(720, 380, 380, 300, dark) + rect(690, 500, 60, 34, dark) + repeat(14, (i) => rect(694 + i * 4, 500, 2.4, 10, C.lime)),
  loom: (dark) => rect(690, 250, 22, 430, dark) + rect(1060, 250, 22, 430, dark) + rect(680, 250, 420, 20, dark) + repeat(22, (i) => line(`M${720 + i * 16} 270V560`, i % 4 ? C.lit : C.ember, 2, 'opacity=".7"')) + rect(700, 556, 380, 70, C.laterite) + repeat(12, (i) => polygon(`${716 + i * 30},590 ${731 + i * 30},572 ${746 + i * 30},590 ${731 + i * 30},608`, C.turmeric)),
  shelves: (dark) => repeat(3, (i) => rect(640, 250 + i * 140, 500, 12, dark) + repeat(7, (k) => group(`translate(${672 + k * 70} ${250 + i * 140}) rotate(180)`, umbrella(0, 90, 46, [C.ember, C.leafLight, C.turmeric, C.lime][(k + i) % 4])))),
  bed: (dark) => rect(640, 560, 460, 30, dark) + rect(1080, 470, 20, 200, dark) + rect(640, 590, 20, 90, dark) + path('M660 560Q720 520 860 530Q1000 520 1080 560Z', C.lime),
};

/** A dark room, one window, somebody in its light. */
export function room({ mood = 'ember', furniture = 'table', pose = 'stand', hair = 'bun', light = C.lit, second = false }) {
  const [, , far, dark] = MOODS[mood];
  const wall = mix(far, dark, 0.35);
  return rect(0, 0, W, H, wall) + rect(0, 560, W, 160, mix(wall, dark, 0.6)) + shaft('M150 110H430L1080 720H420Z', [260, 120], [840, 720], light, 0.62) + rect(150, 110, 280, 330, light) + palm(330, 460, 300, mix(light, far, 0.55), { lean: -0.1, seed: 'win' }) + rect(150, 440, 280, 20, dark) + line('M290 110V440M150 270H430', dark, 10) + rect(0, 0, 150, H, wall) + rect(0, 560, 150, 160, mix(wall, dark, 0.6)) + polygon('420,720 1000,720 820,580 420,580', light, 'opacity=".22"') + FURNITURE[furniture](mix(dark, '#000000', 0.2)) + person(560, 690, 380, dark, { pose, hair }) + (second ? person(1130, 700, 330, dark, { pose: 'stand', hair: 'short', flip: -1 }) : '');
}

/** A corridor of doors with light at its end. */
export function corridor({ mood = 'ember', colours = [C.laterite, C.leaf, C.turmeric] }) {
  const [, , far, dark, light] = MOODS[mood];
  const walls = polygon('0,0 520,230 520,500 0,720', mix(far, dark, 0.3)) + polygon('1280,0 760,230 760,500 1280,720', mix(far, dark, 0.45)) + polygon('0,720 520,500 760,500 1280,720', dark) + polygon('0,0 520,230 760,230 1280,0', mix(dark, far, 0.15));
  const doors = [0.06, 0.4, 0.68].map((t, i) => { const edge = (u) => [520 * u, 720 - 220 * u, 230 * u]; const [x1, b1, t1] = edge(t); const [x2, b2, t2] = edge(t + 0.2 - i * 0.03); const head = (b, tp) => tp + (b - tp) * 0.2; const d = `${x1},${b1} ${x2},${b2} ${x2},${head(b2, t2)} ${x1},${head(b1, t1)}`; const m = `${W - x1},${b1} ${W - x2},${b2} ${W - x2},${head(b2, t2)} ${W - x1},${head(b1, t1)}`; return polygon(d, colours[i]) + polygon(m, mix(colours[(i + 1) % 3], dark, 0.35)); }).join('');
  return rect(0, 0, W, H, dark) + walls + rect(520, 230, 240, 270, light) + doors + shaft('M520 500H760L1060 720H220Z', [640, 500], [640, 720], light, 0.7) + glow(640, 370, 420, light, 0.5) + person(640, 560, 250, dark, { hair: 'bun' }) + polygon('622,560 660,560 720,720 540,720', dark, 'opacity=".6"');
}

/** Faces that come out of the dark; `turn` front or side. */
export function face({ skin = C.turmeric, ground = C.leaf, hair = 'long', turn = 'side', cloth = C.laterite }) {
  const dark = mix(ground, C.night, 0.82);
  const shade = mix(skin, C.night, 0.62);
  if (turn === 'side') {
    const profile = 'M560 720Q566 640 600 600Q540 560 520 470Q486 300 560 190Q640 90 780 120Q860 140 872 226Q876 262 866 292Q876 330 914 392Q920 410 894 420Q886 440 896 456Q890 468 880 472Q888 486 882 500Q864 520 868 546Q862 590 800 592Q776 600 772 640L786 720Z';
    const locks = { long: 'M872 222Q850 100 700 92Q500 96 470 320Q452 520 400 720H590Q600 560 580 470Q600 360 690 320Q800 290 872 222Z', short: 'M868 214Q846 100 700 96Q520 104 500 320Q500 420 540 480Q580 470 586 420Q560 340 640 300Q780 284 868 214Z', scarf: 'M880 240Q860 80 690 78Q440 96 420 380Q420 560 330 720H640Q600 600 590 480Q590 340 700 270Q800 240 880 240Z' }[hair];
    return sky([ground, mix(ground, C.night, 0.6)]) + glow(1080, 300, 640, skin, 0.4) + path(profile, shade) + clip('lit', path(profile, C.night), path('M760 80Q980 200 940 480Q900 640 760 640Q800 560 760 470Q700 420 760 330Q800 220 700 120Z', skin)) + path(locks, hair === 'scarf' ? cloth : dark) + path('M380 720Q480 640 620 650Q760 660 860 720Z', cloth) + path('M806 292Q836 272 862 288Q842 308 806 292Z', dark) + line('M796 262Q832 240 866 252', dark, 9) + circle(640, 430, 9, C.lit);
  }
  const head = 'M470 330Q460 120 640 110Q820 120 810 330Q800 500 730 560Q690 592 640 596Q590 592 550 560Q480 500 470 330Z';
  const top = { long: 'M440 720Q400 420 430 270Q470 60 640 58Q810 60 850 270Q880 420 840 720H800Q830 420 760 250Q700 200 640 190Q580 200 520 250Q450 420 480 720Z', short: 'M452 330Q430 70 640 66Q850 70 828 330Q800 220 730 196Q640 180 550 196Q480 220 452 330Z', scarf: 'M420 720Q390 60 640 52Q890 60 860 720H790Q850 300 740 210Q640 160 540 210Q430 300 490 720Z' }[hair];
  const feature = (k) => group(`translate(640 0) scale(${k} 1)`, path('M36 330Q80 296 128 330Q80 352 36 330Z', C.lime) + circle(82, 328, 15, dark) + line('M30 332Q80 292 134 330', dark, 7) + line('M26 282Q80 250 140 276', dark, 11));
  return sky([ground, mix(ground, C.night, 0.6)]) + path('M300 720Q330 620 560 600L560 520H720L720 600Q950 620 980 720Z', cloth) + path('M560 500H720V610Q640 670 560 610Z', shade) + path(head, shade) + clip('half', path(head, C.night), path('M640 100Q660 240 676 400Q640 430 660 450Q640 520 640 600H860V100Z', skin)) + path(top, hair === 'scarf' ? cloth : dark) + feature(1) + feature(-1) + line('M640 340Q620 410 616 424Q630 440 660 432', dark, 6) + path('M584 488Q620 470 640 480Q660 470 696 488Q660 516 640 516Q620 516 584 488Z', mix(C.laterite, dark, 0.25)) + (hair === 'long' ? circle(640, 236, 10, C.ember) : '');
}

/** A stage or a screen seen over the heads of the audience. */
export function hall({ show = 'mask', light = C.lit, seed = 'h' }) {
  const dice = random(seed);
  const heads = repeat(3, (row) => repeat(13, (i) => { const [x, y, r] = [i * 106 + (row % 2) * 50 + dice.between(-8, 8), 560 + row * 66, 34 + row * 7]; return circle(x, y, r, mix('#0C0A0C', C.laterite, [0.3, 0.17, 0.07][row])) + path(`M${x - r * 1.5} ${y + r * 3.4}V${y + r * 1.9}Q${x - r * 1.4} ${y + r * 1.1} ${x - r * 0.5} ${y + r * 0.85}H${x + r * 0.5}Q${x + r * 1.4} ${y + r * 1.1} ${x + r * 1.5} ${y + r * 1.9}V${y + r * 3.4}Z`, mix('#0C0A0C', C.laterite, [0.3, 0.17, 0.07][row])); }));
  const acts = {
    mask: rect(260, 60, 760, 440, C.laterite) + repeat(16, (i) => rect(260 + i * 48, 60, 20, 440, mix(C.laterite, C.night, 0.35))) + glow(640, 300, 380, C.turmeric, 0.9) + mask(640, 330, 330, { skin: mix(C.leaf, C.leafLight, 0.25), dark: C.lampBlack, light: C.lime, red: C.ember, gold: C.turmeric }),
    screen: rect(280, 90, 720, 390, light) + person(700, 480, 260, C.night, { hair: 'bun' }) + palm(430, 480, 300, C.night, { lean: 0.1, seed: 'scr' }) + glow(640, 290, 640, light, 0.5),
    talk: rect(240, 80, 800, 400, mix(C.leaf, C.night, 0.3)) + glow(640, 260, 420, C.lit, 0.7) + [470, 600, 810].map((x, i) => person(x, 500, 250, C.night, { pose: 'sit', hair: ['bun', 'short', 'long'][i], flip: i === 2 ? -1 : 1 })).join('') + rect(240, 480, 800, 20, C.night),
  };
  return rect(0, 0, W, H, '#120C0D') + acts[show] + shaft('M640 -60L280 480H1000Z', [640, 0], [640, 500], light, 0.22) + heads;
}

/** A film shown outdoors on a sheet between two trees. */
export function openAir({ mood = 'night', count = 6 }) {
  const [top, low, far, dark, light] = MOODS[mood];
  return sky([top, low, dark]) + circle(160, 130, 44, C.lit) + glow(160, 130, 200, C.lit, 0.5) + rect(0, 520, W, 200, mix(far, dark, 0.5)) + palm(420, 560, 470, dark, { lean: -0.06, seed: 'o1' }) + palm(900, 560, 500, dark, { lean: 0.05, seed: 'o2' }) + shaft('M1230 610L440 200V480Z', [1230, 610], [440, 340], light, 0.5) + path('M430 200Q660 214 900 196V476Q660 488 430 478Z', C.lit) + line('M430 200L392 180M900 196L936 176M430 478L390 500M900 476L930 500', light, 3) + person(760, 470, 190, mix(C.laterite, C.night, 0.1), { pose: 'walk' }) + path('M430 440Q560 400 680 430T900 420V476Q660 488 430 478Z', mix(C.leaf, C.lit, 0.3)) + repeat(count, (i) => person(330 + i * 110, 660 + (i % 2) * 24, 130, dark, { pose: 'sit', hair: i % 2 ? 'bun' : 'short' })) + rect(1180, 590, 90, 60, dark) + circle(1230, 610, 13, light);
}

/** Vessels drying in rows before the kiln. */
export function pottery({ fire = true, wheel = false }) {
  const dark = '#150907';
  const ground = sky([mix(C.laterite, C.night, 0.55), mix(C.laterite, C.night, 0.2), dark]);
  if (wheel) return ground + glow(640, 500, 460, C.turmeric, 0.5) + `<ellipse cx="640" cy="610" rx="420" ry="80" fill="${dark}"/><ellipse cx="640" cy="590" rx="420" ry="80" fill="${mix(C.laterite, C.night, 0.35)}"/><ellipse cx="640" cy="586" rx="300" ry="54" fill="${mix(C.laterite, C.night, 0.15)}"/>` + pot(640, 590, 380, C.ember) + path('M540 250Q470 330 500 470Q520 560 580 588Q440 520 440 410Q450 300 540 250Z', mix(C.ember, C.night, 0.4)) + path('M0 470Q200 420 410 470Q450 480 430 510Q300 530 0 600Z', dark) + path('M1280 470Q1080 420 870 470Q830 480 850 510Q980 530 1280 600Z', dark);
  return ground + (fire ? glow(960, 420, 520, C.turmeric, 0.8) + path('M780 560V400Q800 250 960 240Q1120 250 1140 400V560Z', dark) + path('M880 560V470Q890 400 960 396Q1030 400 1040 470V560Z', C.turmeric) + flame(960, 556, 120, C.lit) : '') + repeat(3, (row) => repeat(9 - row, (i) => pot(60 + i * (110 + row * 34) + row * 30, 560 + row * 74, 96 + row * 36, mix(C.ember, C.night, 0.1 + ((i * 3 + row) % 4) * 0.13)))) + person(700, 620, 300, dark, { pose: 'stand', hair: 'bun' });
}

/** Wet pages on washing lines across a yard. */
export function laundry({ mood = 'dawn', seed = 'p', people = 2 }) {
  const [top, low, far, dark, light] = MOODS[mood];
  const dice = random(seed);
  const sheets = repeat(3, (row) => { const y = 150 + row * 120; return line(`M0 ${y}Q640 ${y + 60} 1280 ${y - 10}`, dark, 2.5) + repeat(12 - row * 2, (i) => { const t = (i + 0.5) / (12 - row * 2); const [x, s] = [t * W, 52 + row * 22]; const yy = y + 60 * 2 * t * (1 - t) - 10 * t; return group(`translate(${x.toFixed(0)} ${yy.toFixed(0)}) rotate(${dice.between(-7, 7).toFixed(1)})`, rect(-s / 2, 0, s, s * 1.3, [C.paper, C.lime, C.lit][i % 3]) + repeat(5, (k) => line(`M${-s * 0.36} ${s * (0.26 + k * 0.2)}h${s * dice.between(0.3, 0.7)}`, mix(C.leaf, C.leafLight, 0.4), 2.4, 'opacity=".7"'))); }); });
  return sky([top, low]) + glow(1000, 160, 500, light, 0.9) + palm(90, 690, 520, mix(far, low, 0.2), { lean: 0.1, seed }) + rect(0, 610, W, 110, mix(C.turmeric, C.laterite, 0.3)) + sheets + repeat(people, (i) => person(420 + i * 330, 690, 300 - i * 90, dark, { hair: i ? 'long' : 'bun', flip: i ? -1 : 1 }));
}

/** A low table seen from above. */
export function tableTop({ cloth = C.leaf, on = 'letter' }) {
  const plates = repeat(5, (i) => { const [x, y, r] = [[210, 190, 120], [1080, 170, 140], [1120, 560, 110], [180, 580, 100], [640, 80, 80]][i]; return circle(x + 8, y + 12, r, '#000', 'opacity=".35"') + circle(x, y, r, i % 2 ? C.turmeric : C.lime) + circle(x, y, r * 0.76, i % 2 ? mix(C.turmeric, C.laterite, 0.2) : C.paper) + circle(x, y, r * 0.34, [C.laterite, C.ember, C.lime, C.leafLight, C.lampBlack][i]); });
  const middle = { letter: group('rotate(-12 640 400)', rect(430, 270, 420, 270, '#000', 'opacity=".3" transform="translate(10 16)"') + rect(430, 270, 420, 270, C.paper) + line('M430 270L640 420L850 270', mix(C.lime, C.night, 0.4), 4) + circle(640, 420, 34, C.laterite)), notebook: group('rotate(8 640 400)', rect(400, 230, 480, 340, '#000', 'opacity=".3" transform="translate(10 16)"') + rect(400, 230, 240, 340, C.paper) + rect(640, 230, 240, 340, C.lime) + repeat(8, (i) => line(`M430 ${280 + i * 34}h${120 + (i * 47) % 70}M670 ${280 + i * 34}h${90 + (i * 61) % 90}`, C.leaf, 4, 'opacity=".6"')) + line('M640 230V570', C.night, 3)) }[on];
  return rect(0, 0, W, H, cloth) + repeat(14, (i) => rect(0, i * 54, W, 6, mix(cloth, C.night, 0.28))) + repeat(24, (i) => rect(i * 54, 0, 6, H, mix(cloth, C.night, 0.2), 'opacity=".7"')) + plates + middle + shaft('M0 0H500L1280 720H500Z', [100, 0], [1000, 720], C.lit, 0.35);
}
