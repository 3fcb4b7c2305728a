import { random, repeat } from '../lib/random.mjs';
import { circle, group, line, path, rect } from '../lib/svg.mjs';

/** A country boat, seen from the side; (x, y) is the waterline in the middle. */
export function canoe(x, y, length, fill, rower = '') {
  const s = length / 200;
  const hull = `M-100 -18Q-92 -4 -70 4Q0 18 70 4Q92 -4 104 -26Q90 -14 66 -9Q0 2 -66 -8Q-88 -11 -100 -18Z`;
  return group(`translate(${x} ${y}) scale(${s})`, path(hull, fill) + rower);
}

/** Somebody poling the boat, drawn in the boat's own space. */
export const boatman = (fill, at = 52) =>
  group(`translate(${at} -6)`, path('M-7 0L-6 -34Q-8 -50 0 -52Q9 -50 7 -34L9 0Z', fill) + circle(1, -60, 7, fill) + line('M-2 -44L-24 -28', fill, 5) + line('M-34 -92L-16 34', fill, 2.6));

/** A houseboat with its woven roof. */
export function houseboat(x, y, length, fill, light) {
  const s = length / 400;
  const roof = 'M-128 -22V-52Q-130 -96 -84 -102Q-40 -122 12 -110Q76 -112 112 -92Q134 -78 134 -22Z';
  const ribs = repeat(9, (i) => `M${-112 + i * 28} -24Q${-112 + i * 28} -70 ${-104 + i * 25} ${-98 + Math.abs(i - 4) * 2}`);
  const hull = 'M-200 -52Q-188 -20 -150 -14H140Q182 -18 206 -62Q204 -8 160 12Q0 30 -150 12Q-190 0 -200 -52Z';
  const windows = [-84, -44, -4, 36, 76].map((at) => rect(at, -64, 24, 26, light)).join('');
  return group(`translate(${x} ${y}) scale(${s})`, path(roof, fill) + line(ribs, light, 1.4, 'opacity=".35"') + windows + path(hull, fill) + line('M-176 -40Q-176 -84 -168 -96', fill, 4));
}

/** A standing brass lamp with one flame in front; (x, y) is its foot. */
export function lamp(x, y, height, fill, flame) {
  const s = height / 300;
  const stem = 'M-62 0Q-58 -16 -20 -24Q-10 -30 -9 -44Q-26 -52 -9 -62L-8 -92Q-24 -100 -8 -110L-7 -144Q-20 -152 -7 -160L-6 -184Q-60 -190 -78 -214H78Q60 -190 6 -184L7 -160Q20 -152 7 -144L8 -110Q24 -100 8 -92L9 -62Q26 -52 9 -44Q10 -30 20 -24Q58 -16 62 0Z';
  const finial = 'M-5 -214L-6 -236Q-16 -244 0 -254Q16 -244 6 -236L5 -214Z';
  const drop = 'M0 -46Q17 -20 0 0Q-17 -20 0 -46Z';
  const flames = [-70, -36, 36, 70].map((at) => group(`translate(${at} -216) scale(.85)`, path(drop, flame))).join('');
  return group(`translate(${x} ${y}) scale(${s})`, path(stem, fill) + path(finial, fill) + flames + group('translate(0 -254) scale(.95)', path(drop, flame)));
}

/** A tear of fire, foot at (x, y). */
export const flame = (x, y, height, fill, more = '') => path(`M${x} ${y - height}C${x + height * 0.34} ${y - height * 0.52} ${x + height * 0.36} ${y - height * 0.2} ${x + height * 0.2} ${y - height * 0.06}Q${x} ${y + height * 0.05} ${x - height * 0.2} ${y - height * 0.06}C${x - height * 0.36} ${y - height * 0.2} ${x - height * 0.26} ${y - height * 0.56} ${x} ${y - height}Z`, fill, more);

/** An open umbrella from the side; (x, y) is the middle of its rim. */
export function umbrella(x, y, width, fill, { stick = true, ribs = 4 } = {}) {
  const half = width / 2;
  const step = width / ribs;
  const scallops = repeat(ribs, () => `q${-step / 2} ${-step * 0.32} ${-step} 0`);
  const shaft = stick ? line(`M${x} ${y - 4}V${y + width * 0.42}q0 ${width * 0.09} ${-width * 0.09} ${width * 0.09}q${-width * 0.07} 0 ${-width * 0.07} ${-width * 0.07}`, fill, width * 0.022) : '';
  return path(`M${x - half} ${y}Q${x - half * 0.9} ${y - half * 0.86} ${x} ${y - half * 0.92}Q${x + half * 0.9} ${y - half * 0.86} ${x + half} ${y}${scallops}Z`, fill) + line(`M${x} ${y - half * 0.9}v${-width * 0.06}`, fill, width * 0.022) + shaft;
}

/** An open umbrella from above. */
export function umbrellaTop(x, y, r, fill, rib, turn = 0) {
  const corner = (i, k = 1) => [x + Math.cos(turn + (i * Math.PI) / 4) * r * k, y + Math.sin(turn + (i * Math.PI) / 4) * r * k].map((v) => v.toFixed(1)).join(' ');
  const rim = repeat(8, (i) => `${i ? '' : `M${corner(0)}`}Q${corner(i + 0.5, 0.84)} ${corner(i + 1)}`);
  const ribs = repeat(8, (i) => `M${x} ${y}L${corner(i)}`);
  return path(`${rim}Z`, fill) + line(ribs, rib, r * 0.022) + circle(x, y, r * 0.055, rib);
}

/** A house with a tiled hip roof; (x, y) is the middle of its ground line. */
export function house(x, y, width, wall, roof, light, { door = true, windows = 2 } = {}) {
  const h = width * 0.42;
  const eave = width * 0.62;
  const panes = repeat(windows, (i) => rect(x - width * 0.36 + i * width * 0.54, y - h * 0.72, width * 0.16, h * 0.36, light));
  return rect(x - width / 2, y - h, width, h, wall) + path(`M${x - eave} ${y - h + 6}L${x - width * 0.3} ${y - h - width * 0.34}H${x + width * 0.3}L${x + eave} ${y - h + 6}Z`, roof) + panes + (door ? rect(x - width * 0.08, y - h * 0.74, width * 0.16, h * 0.74, light) : '');
}

/** A single-screen cinema front with its tower and sign. */
export function cinema(x, y, width, wall, shade, light, sign) {
  const h = width * 0.5;
  const fins = repeat(7, (i) => rect(x - width * 0.07 + i * width * 0.022, y - h * 1.5, width * 0.011, h * 1.5, i % 2 ? wall : shade));
  return rect(x - width / 2, y - h, width, h, wall) + rect(x - width / 2, y - h * 0.4, width, h * 0.05, shade) + path(`M${x - width * 0.46} ${y - h}Q${x - width * 0.44} ${y - h * 1.22} ${x - width * 0.2} ${y - h * 1.22}H${x + width * 0.5}V${y - h}Z`, shade) + rect(x - width * 0.09, y - h * 1.55, width * 0.19, h * 1.55, wall) + fins + rect(x - width * 0.42, y - h * 0.34, width * 0.3, h * 0.34, light) + rect(x + width * 0.13, y - h * 0.34, width * 0.3, h * 0.34, light) + rect(x - width * 0.46, y - h * 0.62, width * 0.34, h * 0.2, light) + rect(x + width * 0.12, y - h * 0.62, width * 0.34, h * 0.2, light) + sign;
}

/** A bicycle from the side; (x, y) is the ground between the wheels. */
export function bicycle(x, y, size, stroke, width = size * 0.03) {
  const r = size * 0.26;
  const spokes = (cx) => repeat(9, (i) => `M${cx} ${y - r}l${(Math.cos((i * Math.PI * 2) / 9) * r).toFixed(1)} ${(Math.sin((i * Math.PI * 2) / 9) * r).toFixed(1)}`);
  const [a, b] = [x - size * 0.36, x + size * 0.36];
  return `<g fill="none" stroke="${stroke}"><circle cx="${a}" cy="${y - r}" r="${r}" stroke-width="${width}"/><circle cx="${b}" cy="${y - r}" r="${r}" stroke-width="${width}"/><path d="${spokes(a)}${spokes(b)}" stroke-width="${width * 0.18}"/></g>` + line(`M${a} ${y - r}L${x - size * 0.13} ${y - size * 0.56}L${x + size * 0.24} ${y - size * 0.56}L${x} ${y - r}H${a}M${x} ${y - r}L${x - size * 0.16} ${y - size * 0.64}M${x - size * 0.25} ${y - size * 0.65}H${x - size * 0.08}M${b} ${y - r}L${x + size * 0.22} ${y - size * 0.68}Q${x + size * 0.32} ${y - size * 0.74} ${x + size * 0.34} ${y - size * 0.64}`, stroke, width);
}

/** The light that falls out of many windows of a train. */
export function train(x, y, length, height, fill, light) {
  const count = Math.round(length / (height * 1.1));
  return rect(x, y - height, length, height, fill) + rect(x, y - height * 0.12, length, height * 0.12, light, 'opacity=".25"') + repeat(count, (i) => rect(x + (i + 0.22) * (length / count), y - height * 0.78, (length / count) * 0.56, height * 0.36, light));
}

/** A potter's vessel; (x, y) is the middle of its foot. */
export const pot = (x, y, size, fill, more = '') => path(`M${x - size * 0.2} ${y}C${x - size * 0.62} ${y - size * 0.2} ${x - size * 0.6} ${y - size * 0.66} ${x - size * 0.2} ${y - size * 0.8}Q${x - size * 0.16} ${y - size * 0.88} ${x - size * 0.3} ${y - size * 0.96}H${x + size * 0.3}Q${x + size * 0.16} ${y - size * 0.88} ${x + size * 0.2} ${y - size * 0.8}C${x + size * 0.6} ${y - size * 0.66} ${x + size * 0.62} ${y - size * 0.2} ${x + size * 0.2} ${y}Z`, fill, more);

/** Sheets of paper that fly along a curve. */
export function papers(count, seed, at, size, fills) {
  const dice = random(seed);
  return repeat(count, (i) => {
    const [x, y, k] = at(i / (count - 1));
    const s = size * k;
    const fill = fills[i % fills.length];
    return group(`translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${dice.between(-50, 50).toFixed(0)})`, rect(-s, -s * 0.66, s * 2, s * 1.32, fill) + line(`M${-s} ${-s * 0.66}L0 ${s * 0.1}L${s} ${-s * 0.66}`, '#17120F', s * 0.05));
  });
}
