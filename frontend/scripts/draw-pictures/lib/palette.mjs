/** The festival's colours: the dark of the hall, the light of the beam, and the five pigments of a mural wall. */
export const C = {
  night: '#0B0A0C',
  nightSoft: '#1A171B',
  lit: '#FFE6A6',
  paper: '#FBF6EA',
  laterite: '#A2301C',
  ember: '#E2583A',
  turmeric: '#F2B233',
  leaf: '#12443A',
  leafLight: '#8FC3A4',
  lime: '#F4ECDD',
  lampBlack: '#17120F',
};

/** Mixes two `#rrggbb` colours; `share` 0 returns the first, 1 the second. */
export function mix(first, second, share) {
  const parts = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const [from, to] = [parts(first), parts(second)];
  return `#${from.map((value, i) => Math.round(value + (to[i] - value) * share).toString(16).padStart(2, '0')).join('')}`;
}
