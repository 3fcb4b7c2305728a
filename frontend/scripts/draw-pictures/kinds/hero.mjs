import { film } from '../lib/film.mjs';
import { C, mix } from '../lib/palette.mjs';
import { repeat } from '../lib/random.mjs';
import { circle, group, path, rect } from '../lib/svg.mjs';
import { boatman, canoe, houseboat } from '../shapes/craft.mjs';
import { bird } from '../shapes/living.mjs';
import { palm, palmGrove } from '../shapes/nature.mjs';

const SECONDS = 7;
const DARK = '#15100C';
const TURN = Math.PI * 2;

/** Water that moves: every row is a sine that comes round once or twice in the loop. */
function water(t, width, top, bottom) {
  const rows = 8;
  return repeat(rows, (i) => {
    const y = top + ((bottom - top) * (i / rows) ** 1.3);
    const length = 150 + i * 46;
    const shift = (((i % 2 ? 1 : -1) * t * length) % length) - length;
    const swell = 2 + i * 1.7;
    let d = `M${(shift - length).toFixed(1)} ${y.toFixed(1)}`;
    for (let x = shift - length; x < width + length; x += length) d += `q${length / 4} ${-swell} ${length / 2} 0t${length / 2} 0`;
    return path(`${d}V${bottom + 20}H${-length * 3}Z`, mix(mix(C.turmeric, C.laterite, 0.3), mix(C.laterite, C.night, 0.62), i / (rows - 1)));
  });
}

/** The road of light on the water under the sun. */
function road(t, x, top, depth) {
  return repeat(16, (i) => {
    const k = (i + 0.5) / 16;
    const breath = 0.55 + 0.45 * Math.sin(TURN * (t * (1 + (i % 2)) + i * 0.37));
    const half = (28 + 108 * k) * breath;
    const at = x + Math.sin(TURN * (t + i * 0.21)) * 22 * k;
    return rect((at - half).toFixed(1), (top + depth * k ** 1.2).toFixed(1), (half * 2).toFixed(1), (3 + 6 * k).toFixed(1), C.lit, 'rx="3"');
  });
}

/**
 * One frame; `t` runs from 0 to 1 and 1 looks like 0. The sky stays light and empty for the name, and the lower right
 * stays calm for the countdown.
 */
function scene(t, { width, height, view }) {
  const line = 552;
  const sun = { x: 800, y: 486 };
  const sway = Math.sin(TURN * t);
  const sky = [C.lit, mix(C.lit, C.turmeric, 0.35), mix(C.lit, C.turmeric, 0.75), C.turmeric, mix(C.turmeric, C.ember, 0.45)];
  const bands = sky.map((fill, i) => rect(-400, [-200, 210, 330, 420, 490][i], 2200, 420, fill)).join('');
  const rings = [230, 168, 112].map((r, i) => circle(sun.x, sun.y, r + 3 * Math.sin(TURN * (t + i * 0.3)), mix(C.turmeric, C.lit, 0.35 + i * 0.3))).join('');
  // The houseboat goes a little out and comes back; the canoe rides on its wave.
  const far = houseboat(470 + 26 * Math.sin(TURN * t), line + 30, 310, mix(C.laterite, C.night, 0.55), C.lit);
  const bob = 4 * Math.sin(TURN * (t + 0.2));
  const near = group(`rotate(${(1.6 * Math.sin(TURN * (t + 0.1))).toFixed(2)} 700 650)`, canoe(700 - 14 * sway, 652 + bob, 340, DARK, boatman(DARK, 44)));
  const birds = repeat(4, (i) => bird(500 + i * 56 + 20 * Math.sin(TURN * (t + i * 0.1)), 330 + (i % 2) * 34 + 8 * Math.cos(TURN * (t + i * 0.2)), 20 + 5 * Math.sin(TURN * (t * 3 + i * 0.3)), DARK));
  const palms = group(`rotate(${(0.9 * sway).toFixed(2)} 120 760)`, palm(110, 730, 300, DARK, { lean: 0.16, seed: 'hero1', fronds: 12 })) + group(`rotate(${(-1.1 * Math.sin(TURN * (t + 0.15))).toFixed(2)} 30 760)`, palm(40, 740, 230, DARK, { lean: -0.1, seed: 'hero2' }));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${view}" preserveAspectRatio="xMidYMid slice">${bands}${rings}${circle(sun.x, sun.y, 68, C.paper)}${birds}${palmGrove(-400, line + 4, 2200, 96, mix(C.turmeric, C.laterite, 0.62), 'herofar', 26)}${rect(-400, line - 4, 2200, 12, mix(C.turmeric, C.laterite, 0.62))}${water(t, 1700, line + 6, 760)}${road(t, sun.x, line + 14, 180)}${far}${near}${palms}${path('M-400 900V700Q0 640 330 720Q420 742 470 780V900Z', DARK)}</svg>`;
}

/** The loop of the hero, its poster frame, and an upright frame for phones. */
export async function hero(studio, { identity }) {
  await studio.save(identity.hero, scene(0.25, { width: 1600, height: 900, view: '0 0 1280 720' }), { limit: 90_000 });
  await studio.save(identity.hero_small, scene(0.25, { width: 800, height: 1000, view: '250 -10 600 750' }), { limit: 60_000 });
  await studio.write(identity.hero_film, await film(studio, SECONDS, (t) => scene(t, { width: 1280, height: 720, view: '0 0 1280 720' })));
}
