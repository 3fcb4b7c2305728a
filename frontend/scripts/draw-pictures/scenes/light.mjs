import { C, mix } from '../lib/palette.mjs';
import { circle, group, path, rect } from '../lib/svg.mjs';

/** Every scene is drawn on this frame. */
export const W = 1280;
export const H = 720;

/** A vertical gradient between colours, as ground or sky. */
export function sky(stops, id = 'sky', height = H) {
  const marks = stops.map((stop, i) => `<stop offset="${(i / (stops.length - 1)).toFixed(2)}" stop-color="${stop}"/>`).join('');
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${marks}</linearGradient>${rect(0, 0, W, height, `url(#${id})`)}`;
}

let glows = 0;
/** Soft light around a source. */
export function glow(x, y, r, colour, strength = 0.8) {
  const id = `glow${glows++}`;
  return `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/><stop offset=".35" stop-color="${colour}" stop-opacity="${strength * 0.38}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>${circle(x, y, r, `url(#${id})`)}`;
}

/** Light that falls along a shape and fades on its way; `from` and `to` are points. */
export function shaft(d, from, to, colour, strength = 0.55) {
  const id = `glow${glows++}`;
  return `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></linearGradient>${path(d, `url(#${id})`)}`;
}

/** Darker corners, as a lens makes them. */
export const vignette = (strength = 0.55) => `<radialGradient id="lens" cx=".5" cy=".5" r=".75"><stop offset=".5" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="${strength}"/></radialGradient>${rect(0, 0, W, H, 'url(#lens)')}`;

/** Out of focus. */
export const blurred = (body, amount) => `<filter id="blur${amount}" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="${amount}"/></filter>${group('', body, `filter="url(#blur${amount})"`)}`;

/** Moods: [upper sky, lower sky, far, near, light]. */
export const MOODS = {
  dusk: [mix(C.laterite, C.night, 0.35), C.turmeric, mix(C.laterite, C.night, 0.5), C.lampBlack, C.lit],
  dawn: [C.leafLight, C.lit, mix(C.leaf, C.leafLight, 0.45), mix(C.leaf, C.night, 0.5), C.paper],
  night: ['#0A1518', mix(C.leaf, C.night, 0.2), mix(C.leaf, C.night, 0.55), '#060809', C.lit],
  storm: [mix(C.leaf, C.night, 0.5), mix(C.leafLight, C.leaf, 0.45), mix(C.leaf, C.night, 0.35), '#0B1614', C.lime],
  noon: [C.lit, C.paper, mix(C.turmeric, C.laterite, 0.35), mix(C.laterite, C.night, 0.45), C.paper],
  ember: ['#1A0D09', mix(C.laterite, C.night, 0.3), mix(C.laterite, C.night, 0.6), '#0E0705', C.turmeric],
};
