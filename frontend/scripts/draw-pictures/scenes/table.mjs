import { C, mix } from '../lib/palette.mjs';
import { desert, field, herd, mountains, road, station, windmills } from './lands.mjs';
import { corridor, face, hall, laundry, openAir, pottery, room, tableTop } from './rooms.mjs';
import { backwater, landing, sea, stilts, underwater } from './waters.mjs';

/** The two stills of every film, by film. */
export const stills = {
  'the-rain-road': [() => road({ on: 'umbrella', mood: 'storm', seed: 'rr' }), () => face({ skin: C.leafLight, ground: C.leaf, hair: 'scarf', turn: 'front', cloth: C.ember })],
  'salt-wind': [() => sea({ mood: 'storm', seed: 'sw', swell: 1.3, crew: 1, moon: 260 }), () => room({ mood: 'storm', furniture: 'table', pose: 'stand', hair: 'short', light: C.lime, second: true })],
  'the-lamp-at-the-landing': [() => landing({ seed: 'll', people: 4 }), () => face({ skin: C.turmeric, ground: mix(C.laterite, C.night, 0.5), hair: 'scarf', turn: 'side', cloth: C.lime })],
  'the-eighth-wave': [() => sea({ mood: 'night', seed: 'ew', crew: 2, tilt: -8 }), () => face({ skin: C.leafLight, ground: '#0A2A2A', hair: 'short', turn: 'side', cloth: C.ember })],
  'painted-face': [() => hall({ show: 'mask', seed: 'pf' }), () => face({ skin: mix(C.leafLight, C.leaf, 0.15), ground: C.laterite, hair: 'short', turn: 'front', cloth: C.turmeric })],
  'umbrellas-without-owners': [() => station({ mood: 'storm', seed: 'uo', count: 3, items: true }), () => room({ mood: 'storm', furniture: 'shelves', pose: 'stand', hair: 'short', light: C.lit })],
  'shadow-of-a-palm': [() => backwater({ mood: 'noon', boat: 'canoe', sun: 640, seed: 'sp', x: 500 }), () => face({ skin: C.ember, ground: C.turmeric, hair: 'short', turn: 'front', cloth: C.lime })],
  'what-the-water-wrote': [() => laundry({ mood: 'dawn', seed: 'ww' }), () => tableTop({ cloth: C.leaf, on: 'notebook' })],
  'a-letter-of-salt': [() => desert({ seed: 'ls' }), () => tableTop({ cloth: C.laterite, on: 'letter' })],
  'a-house-beyond-the-river': [() => stilts({ mood: 'dusk', seed: 'hb', level: 450 }), () => room({ mood: 'ember', furniture: 'table', pose: 'sit', hair: 'bun', light: C.turmeric, second: true })],
  'the-last-windmill': [() => windmills({ mood: 'dusk', count: 4, seed: 'lw' }), () => face({ skin: C.turmeric, ground: mix(C.ember, C.night, 0.25), hair: 'short', turn: 'side', cloth: C.leaf })],
  'the-clay-sang': [() => pottery({ fire: true }), () => pottery({ wheel: true })],
  'the-seventh-door': [() => corridor({}), () => room({ mood: 'ember', furniture: 'bed', pose: 'stand', hair: 'long', light: C.turmeric })],
  'the-name-of-the-boat': [() => backwater({ mood: 'storm', boat: 'canoe', sun: 980, seed: 'nb', wet: true, near: false, x: 560 }), () => face({ skin: C.lime, ground: C.leaf, hair: 'scarf', turn: 'side', cloth: C.laterite })],
  'the-turmeric-bicycle': [() => road({ mood: 'dusk', on: 'bicycle', wet: false, seed: 'tb' }), () => face({ skin: C.turmeric, ground: mix(C.leaf, C.leafLight, 0.3), hair: 'short', turn: 'front', cloth: C.laterite })],
  'a-window-on-the-white-desert': [() => desert({ seed: 'wd', window: true }), () => room({ mood: 'noon', furniture: 'loom', pose: 'sit', hair: 'bun', light: C.paper })],
  'the-night-of-the-elephants': [() => herd({ mood: 'night', count: 4 }), () => station({ mood: 'night', seed: 'ne', count: 2 })],
  'mustard-shade': [() => field({ mood: 'dawn', crop: C.turmeric, soil: C.leaf, on: 'person', seed: 'ms' }), () => field({ mood: 'dusk', crop: mix(C.turmeric, C.laterite, 0.5), soil: C.lampBlack, on: 'two', seed: 'ms2', sun: 900 })],
  'the-tide-room': [() => room({ mood: 'night', furniture: 'piano', pose: 'stand', hair: 'short', light: C.lime }), () => sea({ mood: 'dawn', seed: 'tr', swell: 0.6, crew: 0, moon: 420 })],
  'post-office-of-the-wind': [() => road({ mood: 'dawn', on: 'walker', wet: false, seed: 'po' }), () => tableTop({ cloth: mix(C.leafLight, C.leaf, 0.5), on: 'letter' })],
  'the-third-garden': [() => corridor({ mood: 'night', colours: [C.leaf, C.laterite, C.leafLight] }), () => face({ skin: C.lime, ground: mix(C.leaf, C.leafLight, 0.2), hair: 'scarf', turn: 'front', cloth: C.laterite })],
  'moon-over-the-paddy': [() => openAir({ mood: 'night', count: 7 }), () => road({ mood: 'night', on: 'van', wet: false, seed: 'mp' })],
  'three-oil-lamps': [() => room({ mood: 'ember', furniture: 'lamps', pose: 'stand', hair: 'bun', light: mix(C.ember, C.night, 0.5), second: true }), () => face({ skin: C.ember, ground: '#20100C', hair: 'long', turn: 'front', cloth: C.turmeric })],
  'sea-grass': [() => underwater({ seed: 'sg', diver: true }), () => underwater({ seed: 'sg2', diver: false, ring: true })],
  'where-the-horse-stood': [() => mountains({ mood: 'dawn', seed: 'wh', riders: 3 }), () => mountains({ mood: 'dusk', seed: 'wh2', tent: false, near: true })],
  'a-house-above-the-tide': [() => stilts({ mood: 'dawn', seed: 'ht', level: 480 }), () => room({ mood: 'storm', furniture: 'bed', pose: 'sit', hair: 'bun', light: C.leafLight })],
};
