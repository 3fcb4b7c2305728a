import { circle, group, line, path } from '../lib/svg.mjs';

const POSES = {
  // Long cloth to the ground, arms at rest.
  stand: 'M-15 0L-13 -52Q-20 -78 -12 -92Q-6 -97 0 -97Q6 -97 12 -92Q20 -78 13 -52L16 0Z',
  // Walking, one foot forward.
  walk: 'M-20 0L-8 -48Q-17 -76 -11 -91Q-5 -97 1 -97Q8 -96 12 -90Q18 -76 11 -50L24 -2L13 0L3 -34L-9 0Z',
  // A folded cloth to the knee, bare legs.
  short: 'M-13 0L-11 -32L-16 -34L-13 -56Q-20 -80 -12 -92Q-6 -97 0 -97Q6 -97 12 -92Q20 -80 13 -56L16 -34L11 -32L13 0L5 0L2 -32L-2 -32L-5 0Z',
  // Sitting on the ground.
  sit: 'M-34 0Q-36 -16 -16 -20Q-20 -48 -10 -58Q-4 -62 2 -62Q10 -60 12 -50L14 -24Q38 -22 44 -6L44 0Z',
};
const HEADS = { stand: -110, walk: -110, short: -110, sit: -75 };

/** A person as a silhouette, `height` tall with feet at (x, y); poses: stand, walk, short, sit. */
export function person(x, y, height, fill, { pose = 'stand', hair = 'short', flip = 1, arm = '' } = {}) {
  const s = height / 122;
  const head = HEADS[pose];
  const knot = hair === 'bun' ? circle(-11, head - 3, 6, fill) : hair === 'long' ? path(`M-11 ${head - 4}Q-17 ${head + 22} -10 ${head + 34}L2 ${head + 20}Z`, fill) : '';
  const bodies = path(POSES[pose], fill) + `<ellipse cx="1" cy="${head}" rx="10.5" ry="12.5" fill="${fill}"/>` + path(`M-4 ${head + 8}h9v10h-9z`, fill) + knot + (arm ? line(arm, fill, 6.5) : '');
  return group(`translate(${x} ${y}) scale(${s * flip} ${s})`, bodies);
}

/** An elephant walking to the right; (x, y) is the ground below its middle. */
export function elephant(x, y, width, fill, edge, tusk) {
  const s = width / 400;
  const body = 'M-146 0L-150 -96Q-164 -176 -104 -208Q-40 -234 40 -214Q66 -246 108 -240Q160 -230 164 -178Q168 -140 160 -100Q154 -62 160 -30Q164 -6 148 -4Q134 -4 136 -28Q136 -62 130 -86Q122 -92 108 -94Q92 -94 78 -106L74 0H26L22 -78Q-30 -62 -86 -82L-96 0Z';
  const ear = 'M44 -212Q20 -166 40 -122Q58 -98 84 -122Q104 -160 86 -206Z';
  return group(`translate(${x} ${y}) scale(${s})`, path(body, fill) + line('M-150 -150Q-172 -110 -164 -70', fill, 6) + path(ear, fill, `stroke="${edge}" stroke-width="3.5"`) + path('M128 -112Q150 -82 190 -92Q160 -70 124 -94Z', tusk) + circle(124, -178, 4, tusk));
}

/** A standing horse looking to the right; (x, y) is the ground below its middle. */
export function horse(x, y, width, fill, flip = 1) {
  const s = width / 400;
  const body = 'M-150 0L-142 -86Q-164 -120 -150 -168Q-130 -196 -70 -190Q0 -176 46 -196Q76 -226 92 -272L104 -292L110 -276Q128 -270 140 -250L172 -214Q176 -202 164 -196L146 -196Q132 -208 122 -206Q116 -170 104 -146Q98 -112 92 -96L96 0H76L68 -84Q64 -96 60 -100Q-10 -82 -84 -104Q-92 -96 -98 -80L-108 -44L-104 0H-124L-128 -44L-120 -84Q-126 -60 -130 0Z';
  const tail = 'M-150 -166Q-184 -150 -178 -92Q-176 -60 -188 -36Q-160 -56 -160 -100Q-158 -130 -144 -146Z';
  const mane = 'M92 -276Q60 -250 44 -192Q66 -200 78 -214Q92 -240 104 -262Z';
  return group(`translate(${x} ${y}) scale(${s * flip} ${s})`, path(body, fill) + path(tail, fill) + path(mane, fill));
}

/** A fish swimming to the right, centred. */
export const fish = (x, y, length, fill, eye, turn = 0) => group(`translate(${x} ${y}) rotate(${turn}) scale(${length / 200})`, path('M-100 -38Q-76 -14 -60 -6Q-10 -52 52 -34Q88 -20 100 0Q88 20 52 34Q-10 52 -60 6Q-76 14 -100 38Q-84 0 -100 -38Z', fill) + circle(66, -8, 6, eye));

/** A bird in flight. */
export const bird = (x, y, size, fill) => path(`M${x - size} ${y - size * 0.36}Q${x - size * 0.4} ${y - size * 0.5} ${x} ${y}Q${x + size * 0.4} ${y - size * 0.5} ${x + size} ${y - size * 0.36}Q${x + size * 0.4} ${y - size * 0.26} ${x} ${y + size * 0.2}Q${x - size * 0.4} ${y - size * 0.26} ${x - size} ${y - size * 0.36}Z`, fill);

/** A large almond eye, centred. */
export function eye(x, y, width, white, iris, dark, light) {
  const h = width * 0.32;
  const id = `eye${Math.round(x)}${Math.round(y)}${Math.round(width)}`;
  const shape = `M${x - width / 2} ${y}Q${x} ${y - h * 2} ${x + width / 2} ${y}Q${x} ${y + h * 2} ${x - width / 2} ${y}Z`;
  return path(shape, white) + `<clipPath id="${id}"><path d="${shape}"/></clipPath><g clip-path="url(#${id})">${circle(x, y, h * 0.92, iris)}${circle(x, y, h * 0.5, dark)}${circle(x + h * 0.26, y - h * 0.28, h * 0.15, light)}</g>`;
}

/** The painted face of a stage hero, frontal; (x, y) is between the eyes. */
export function mask(x, y, size, { skin, dark, light, red, gold }) {
  const s = size / 400;
  const crown = [210, 186, 150, 120, 84, 52].map((r, i) => circle(0, -168, r, [gold, red, gold, dark, gold, red][i])).join('');
  const studs = Array.from({ length: 26 }, (_, i) => circle(Math.cos((i * Math.PI) / 13) * 168, -168 + Math.sin((i * Math.PI) / 13) * 168, 9, i % 2 ? light : gold)).join('');
  const jaw = path('M-168 -50Q-196 120 -96 214Q-40 262 0 264Q40 262 96 214Q196 120 168 -50L138 -20Q150 110 72 182Q36 214 0 216Q-36 214 -72 182Q-150 110 -138 -20Z', light);
  const face = path('M-140 -60Q-146 110 -72 184Q-36 216 0 218Q36 216 72 184Q146 110 140 -60Q80 -118 0 -118Q-80 -118 -140 -60Z', skin);
  const band = path('M-150 -66Q0 -150 150 -66L146 -100Q0 -178 -146 -100Z', red) + path('M-148 -88Q0 -166 148 -88', 'none', `stroke="${gold}" stroke-width="8" stroke-dasharray="2 13" stroke-linecap="round"`);
  const half = (k) => group(`scale(${k} 1)`, path('M18 2Q58 -50 132 -22Q160 -12 168 -34Q166 8 124 16Q70 36 18 2Z', dark) + path('M34 0Q66 -28 112 -8Q76 24 34 0Z', light) + circle(74, -3, 13, dark) + path('M14 -40Q66 -92 142 -58Q70 -68 22 -28Z', dark) + path('M150 -50Q206 -60 214 10Q206 70 176 84Q186 20 150 -50Z', gold) + circle(198, 24, 20, red));
  const mark = path('M0 -104Q16 -74 0 -40Q-16 -74 0 -104Z', red) + path('M-5 -68h10v30h-10z', gold);
  const nose = path('M-14 40Q-22 70 0 74Q22 70 14 40', 'none', `stroke="${dark}" stroke-width="6" stroke-linecap="round"`);
  const lips = path('M-46 112Q-20 92 0 104Q20 92 46 112Q20 140 0 140Q-20 140 -46 112Z', red) + path('M-46 112Q0 124 46 112', 'none', `stroke="${dark}" stroke-width="4"`);
  return group(`translate(${x} ${y}) scale(${s})`, crown + studs + jaw + face + band + half(1) + half(-1) + mark + nose + lips);
}
