import { repeat } from './random.mjs';
import { circle, group, line, path, polygon, rect } from './svg.mjs';
import { boatman, canoe, lamp, umbrella } from '../shapes/craft.mjs';
import { mask } from '../shapes/living.mjs';
import { palm } from '../shapes/nature.mjs';
import { C } from './palette.mjs';

/** Small pictures of one colour in a 200 by 200 field, for cards, events and marks. `hole` is the colour behind. */
export const SIGNS = {
  lamp: (fill) => lamp(100, 186, 170, fill, fill),
  umbrella: (fill) => umbrella(100, 104, 168, fill),
  palm: (fill) => palm(92, 196, 150, fill, { lean: 0.1, seed: 'sign' }),
  boat: (fill) => canoe(100, 150, 190, fill, boatman(fill, 40)) + line('M10 178q22 -12 45 0t45 0t45 0t45 0', fill, 6),
  eye: (fill, hole) => path('M6 100Q100 14 194 100Q100 186 6 100Z', fill) + circle(100, 100, 40, hole) + circle(100, 100, 20, fill),
  cup: (fill, hole) => path('M62 40H138L128 136H72Z', fill) + `<ellipse cx="100" cy="40" rx="38" ry="9" fill="${hole}"/><ellipse cx="100" cy="40" rx="38" ry="9" fill="none" stroke="${fill}" stroke-width="6"/>` + path('M14 112H186Q182 176 132 180H68Q18 176 14 112Z', fill, `stroke="${hole}" stroke-width="6"`) + path('M10 106H190V120H10Z', fill),
  drum: (fill, hole) => group('rotate(-14 100 100)', path('M30 52Q100 84 170 52V148Q100 180 30 148Z', fill) + `<ellipse cx="30" cy="100" rx="22" ry="52" fill="${fill}" stroke="${hole}" stroke-width="6"/><ellipse cx="170" cy="100" rx="22" ry="52" fill="${fill}" stroke="${hole}" stroke-width="6"/>` + line('M44 62L156 140M44 140L156 62M72 72L100 148M128 72L100 148', hole, 5)),
  mask: (fill, hole) => mask(100, 116, 150, { skin: fill, dark: hole, light: hole, red: fill, gold: fill === C.night ? C.laterite : C.ember }),
  reel: (fill, hole) => circle(100, 100, 92, fill) + repeat(5, (i) => circle(100 + Math.cos(i * 1.2566 - 1.57) * 52, 100 + Math.sin(i * 1.2566 - 1.57) * 52, 25, hole)) + circle(100, 100, 11, hole),
  lens: (fill, hole) => circle(100, 100, 92, fill) + circle(100, 100, 70, hole) + repeat(6, (i) => group(`rotate(${i * 60} 100 100)`, polygon('100,40 146,62 108,96', fill))),
  waves: (fill) => repeat(4, (i) => line(`M14 ${56 + i * 34}q21.5 -26 43 0t43 0t43 0t43 0`, fill, 12)),
  page: (fill, hole) => path('M30 14H130L170 54V186H30Z', fill) + path('M130 14V54H170Z', hole, 'opacity=".8"') + line('M54 84H146M54 112H146M54 140H112', hole, 9),
  drop: (fill, hole) => path('M100 8C150 74 170 110 150 150Q134 190 100 190Q66 190 50 150C30 110 50 74 100 8Z', fill) + line('M74 142V118M100 158V96M126 142V118', hole, 10),
  beam: (fill) => polygon('6,62 194,6 194,194', fill),
  seat: (fill, hole) => path('M46 20Q46 6 60 6H140Q154 6 154 20V104H46Z', fill) + path('M24 92H44V130H156V92H176V160H24Z', fill) + rect(40, 160, 14, 34, fill) + rect(146, 160, 14, 34, fill) + rect(66, 26, 68, 60, hole, 'opacity=".35"'),
};

/** A sign at (x, y), `size` wide. */
export const sign = (name, x, y, size, fill, hole) => group(`translate(${x} ${y}) scale(${size / 200})`, SIGNS[name](fill, hole));
