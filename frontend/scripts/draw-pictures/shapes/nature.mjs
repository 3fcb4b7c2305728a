import { random, repeat } from '../lib/random.mjs';
import { line, path, polygon } from '../lib/svg.mjs';

const n = (value) => value.toFixed(1);

/** A coconut palm standing at (x, y): a bowed trunk and fronds of single leaflets. */
export function palm(x, y, height, fill, { lean = 0.2, seed = 'palm', fronds = 11 } = {}) {
  const dice = random(seed);
  const [tx, ty] = [x + lean * height, y - height];
  const w = height * 0.022;
  const [bx, by] = [x + lean * height * 0.15, y - height * 0.55];
  const trunk = path(`M${n(x - w * 1.5)} ${n(y)}Q${n(bx - w)} ${n(by)} ${n(tx - w * 0.5)} ${n(ty)}L${n(tx + w * 0.6)} ${n(ty)}Q${n(bx + w)} ${n(by)} ${n(x + w * 1.7)} ${n(y)}Z`, fill);
  const crown = repeat(fronds, (i) => {
    const angle = -Math.PI * (0.02 + (0.98 * i) / (fronds - 1)) + dice.between(-0.09, 0.09);
    const long = height * dice.between(0.36, 0.46);
    const droop = height * dice.between(0.12, 0.26);
    const point = (t) => [tx + Math.cos(angle) * long * t, ty + Math.sin(angle) * long * t * 0.72 + droop * t * t];
    let leaflets = '';
    for (let t = 0.08; t < 1; t += 0.045) {
      const [px, py] = point(t);
      const [qx, qy] = point(Math.min(1, t + 0.1));
      const length = height * 0.1 * Math.sin(Math.PI * Math.min(0.97, t * 0.8 + 0.18));
      leaflets += `M${n(px)} ${n(py)}L${n(qx)} ${n(qy + 1)}L${n(qx + (qx - px) * 0.6)} ${n(qy + length)}Z`;
    }
    const [cx, cy] = point(0.55);
    const [ex, ey] = point(1);
    return path(leaflets, fill) + line(`M${n(tx)} ${n(ty)}Q${n(cx)} ${n(cy - long * 0.06)} ${n(ex)} ${n(ey)}`, fill, height * 0.012);
  });
  const nuts = repeat(4, (i) => `<circle cx="${n(tx + (i - 1.5) * w * 1.6)}" cy="${n(ty + w * (1.4 + (i % 2)))}" r="${n(w * 1.25)}" fill="${fill}"/>`);
  return trunk + crown + nuts;
}

/** A row of small palms along a shore, as one dark edge. */
export function palmGrove(x, y, width, height, fill, seed, count = 9) {
  const dice = random(seed);
  return repeat(count, (i) => palm(x + (width * (i + dice.between(0.1, 0.9))) / count, y, height * dice.between(0.7, 1.15), fill, { lean: dice.between(-0.22, 0.22), seed: `${seed}${i}`, fronds: 8 }));
}

/** One wave line across `width`, closed down to `bottom`. */
export function wave(x, y, width, bottom, fill, { size = 26, length = 180, shift = 0 } = {}) {
  let d = `M${n(x - length + shift)} ${n(y)}`;
  for (let at = x - length + shift; at < x + width + length; at += length) {
    d += `q${n(length / 4)} ${n(-size)} ${n(length / 2)} 0t${n(length / 2)} 0`;
  }
  return path(`${d}V${n(bottom)}H${n(x - length + shift)}Z`, fill);
}

/** Broken bars of light on water below a light at (x, y). */
export function glitter(x, y, width, depth, fill, seed, count = 22) {
  const dice = random(seed);
  return repeat(count, (i) => {
    const t = (i + 0.5) / count;
    const half = width * (0.25 + 0.75 * t) * dice.between(0.25, 1) * 0.5;
    const at = x + dice.between(-0.3, 0.3) * width * t;
    return `<rect x="${n(at - half)}" y="${n(y + depth * t)}" width="${n(half * 2)}" height="${n(2 + 6 * t)}" rx="${n(1 + 3 * t)}" fill="${fill}"/>`;
  });
}

/** Slanted rain over the whole frame. */
export function rain(width, height, stroke, seed, { count = 120, slant = 0.18, opacity = 0.6, long = 90 } = {}) {
  const dice = random(seed);
  const drops = repeat(count, () => {
    const length = dice.between(0.4, 1) * long;
    const [x, y] = [dice.between(-0.1, 1.1) * width, dice.between(-0.1, 1) * height];
    return `M${n(x)} ${n(y)}l${n(-length * slant)} ${n(length)}`;
  });
  return line(drops, stroke, 2.4, `opacity="${opacity}"`);
}

/** Far hills: a soft broken edge closed down to `bottom`. */
export function hills(width, y, bottom, fill, seed, rise = 60) {
  const dice = random(seed);
  let d = `M0 ${n(y)}`;
  for (let i = 1; i <= 6; i++) {
    d += `Q${n(((i - 0.5) * width) / 6)} ${n(y - dice.between(0.1, 1) * rise)} ${n((i * width) / 6)} ${n(y - dice.between(0, 0.4) * rise)}`;
  }
  return path(`${d}V${bottom}H0Z`, fill);
}

/** Sharp mountains. */
export function peaks(width, y, bottom, fill, seed, rise = 260, count = 5) {
  const dice = random(seed);
  let d = `M0 ${bottom}V${n(y - rise * 0.3)}`;
  for (let i = 0; i < count; i++) {
    d += `L${n(((i + dice.between(0.35, 0.65)) * width) / count)} ${n(y - rise * dice.between(0.6, 1))}L${n(((i + 1) * width) / count)} ${n(y - rise * dice.between(0, 0.35))}`;
  }
  return path(`${d}V${bottom}Z`, fill);
}

/** A beam of light from (x, y) opening between two points. */
export const beam = (x, y, x1, y1, x2, y2, fill, more = '') => polygon(`${x},${y} ${x1},${y1} ${x2},${y2}`, fill, more);
