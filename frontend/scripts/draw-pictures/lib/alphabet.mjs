// The festival's own capitals: polygons on a unit square, so that a word can be bent into a beam of light.
const GLYPHS = {
  A: ['.3,0 .7,0 1,1 .68,1 .62,.78 .38,.78 .32,1 0,1', '.43,.58 .57,.58 .5,.26'],
  B: ['0,0 .84,0 1,.13 1,.4 .88,.5 1,.6 1,.87 .84,1 0,1', '.36,.2 .64,.2 .64,.4 .36,.4', '.36,.6 .64,.6 .64,.8 .36,.8'],
  C: ['0,.12 .12,0 1,0 1,.22 .38,.22 .38,.78 1,.78 1,1 .12,1 0,.88'],
  D: ['0,0 .8,0 1,.16 1,.84 .8,1 0,1', '.37,.22 .63,.22 .63,.78 .37,.78'],
  E: ['0,0 1,0 1,.2 .38,.2 .38,.4 .9,.4 .9,.6 .38,.6 .38,.8 1,.8 1,1 0,1'],
  F: ['0,0 1,0 1,.22 .38,.22 .38,.42 .9,.42 .9,.64 .38,.64 .38,1 0,1'],
  G: ['0,.12 .12,0 1,0 1,.22 .38,.22 .38,.78 .66,.78 .66,.62 .52,.62 .52,.44 1,.44 1,1 .12,1 0,.88'],
  H: ['0,0 .34,0 .34,.39 .66,.39 .66,0 1,0 1,1 .66,1 .66,.6 .34,.6 .34,1 0,1'],
  I: ['0,0 1,0 1,1 0,1'],
  J: ['.62,0 1,0 1,.88 .88,1 0,1 0,.78 .62,.78'],
  K: ['0,0 .35,0 .35,.36 .62,0 1,0 .68,.47 1,1 .62,1 .35,.6 .35,1 0,1'],
  L: ['0,0 .38,0 .38,.8 1,.8 1,1 0,1'],
  M: ['0,0 .26,0 .5,.5 .74,0 1,0 1,1 .76,1 .76,.44 .5,.92 .24,.44 .24,1 0,1'],
  N: ['0,0 .32,0 .68,.55 .68,0 1,0 1,1 .68,1 .32,.45 .32,1 0,1'],
  O: ['0,.12 .12,0 .88,0 1,.12 1,.88 .88,1 .12,1 0,.88', '.36,.22 .64,.22 .64,.78 .36,.78'],
  P: ['0,0 .86,0 1,.13 1,.52 .86,.65 .37,.65 .37,1 0,1', '.37,.21 .64,.21 .64,.44 .37,.44'],
  Q: ['0,.12 .12,0 .88,0 1,.12 1,1 .7,1 .6,.9 .12,.9 0,.8', '.36,.2 .64,.2 .64,.7 .36,.7'],
  R: ['0,0 .86,0 1,.13 1,.48 .86,.58 1,1 .64,1 .5,.64 .37,.64 .37,1 0,1', '.37,.21 .64,.21 .64,.43 .37,.43'],
  S: ['0,.12 .12,0 1,0 1,.2 .38,.2 .38,.39 .88,.39 1,.5 1,.88 .88,1 0,1 0,.8 .62,.8 .62,.61 .12,.61 0,.5'],
  T: ['0,0 1,0 1,.22 .69,.22 .69,1 .31,1 .31,.22 0,.22'],
  U: ['0,0 .37,0 .37,.78 .63,.78 .63,0 1,0 1,.88 .88,1 .12,1 0,.88'],
  V: ['0,0 .34,0 .5,.62 .66,0 1,0 .66,1 .34,1'],
  W: ['0,0 .24,0 .3,.56 .41,.1 .59,.1 .7,.56 .76,0 1,0 .86,1 .62,1 .5,.52 .38,1 .14,1'],
  X: ['0,0 .36,0 .5,.28 .64,0 1,0 .7,.5 1,1 .64,1 .5,.72 .36,1 0,1 .3,.5'],
  Y: ['0,0 .36,0 .5,.34 .64,0 1,0 .69,.62 .69,1 .31,1 .31,.62'],
  Z: ['0,0 1,0 1,.24 .46,.78 1,.78 1,1 0,1 0,.76 .54,.22 0,.22'],
  0: ['0,.12 .12,0 .88,0 1,.12 1,.88 .88,1 .12,1 0,.88', '.36,.22 .64,.22 .64,.78 .36,.78'],
  1: ['.1,.12 .4,0 .74,0 .74,1 .36,1 .36,.26 .1,.3'],
  2: ['0,0 .88,0 1,.12 1,.5 .88,.61 .38,.61 .38,.8 1,.8 1,1 0,1 0,.5 .12,.4 .62,.4 .62,.2 0,.2'],
  3: ['0,0 .88,0 1,.12 1,.4 .9,.5 1,.6 1,.88 .88,1 0,1 0,.8 .62,.8 .62,.6 .2,.6 .2,.4 .62,.4 .62,.2 0,.2'],
  4: ['0,0 .36,0 .36,.5 .6,.5 .6,.24 .96,.24 .96,.5 1,.5 1,.7 .96,.7 .96,1 .6,1 .6,.7 0,.7'],
  5: ['0,0 1,0 1,.2 .38,.2 .38,.39 .88,.39 1,.5 1,.88 .88,1 0,1 0,.8 .62,.8 .62,.61 0,.61'],
  6: ['0,.12 .12,0 1,0 1,.2 .38,.2 .38,.39 .88,.39 1,.5 1,.88 .88,1 .12,1 0,.88', '.38,.59 .63,.59 .63,.8 .38,.8'],
  7: ['0,0 1,0 1,.22 .62,1 .22,1 .6,.22 0,.22'],
  8: ['0,.12 .12,0 .88,0 1,.12 1,.4 .9,.5 1,.6 1,.88 .88,1 .12,1 0,.88 0,.6 .1,.5 0,.4', '.37,.2 .63,.2 .63,.4 .37,.4', '.37,.6 .63,.6 .63,.8 .37,.8'],
  9: ['0,.12 .12,0 .88,0 1,.12 1,.88 .88,1 0,1 0,.8 .62,.8 .62,.61 .12,.61 0,.5', '.37,.2 .62,.2 .62,.41 .37,.41'],
};
const WIDTHS = { I: 0.42, M: 1.3, W: 1.4, A: 1.1, V: 1.05, E: 0.86, F: 0.84, L: 0.82, T: 0.9, 1: 0.7 };
const GAP = 0.08;
const widthOf = (letter) => (letter === ' ' ? 0.4 : (WIDTHS[letter] ?? 1));

/** Path data of one letter whose corners `place(u, v)` maps from the unit square to the picture. */
function letterPath(letter, place) {
  const rings = letter === ' ' ? [] : GLYPHS[letter];
  if (!rings) throw new Error(`The alphabet has no sign for "${letter}": add it to lib/alphabet.mjs`);
  return rings
    .map((ring) => `M${ring.split(' ').map((corner) => place(...corner.split(',').map(Number)).map((n) => n.toFixed(1)).join(' ')).join('L')}Z`)
    .join('');
}

/** A word inside a beam: letters grow from x0 to x1 between the straight edges `top(x)` and `bottom(x)`. */
export function wedge(word, { x0, x1, origin, top, bottom }) {
  const letters = [...word.toUpperCase()];
  const total = letters.reduce((sum, letter) => sum + widthOf(letter), 0);
  const growth = (x1 - origin) / (x0 - origin);
  let left = x0;
  return letters
    .map((letter) => {
      const next = origin + (left - origin) * growth ** (widthOf(letter) / total);
      const [from, width] = [left, (next - left) * (1 - GAP * (letter === 'I' ? 1.9 : 1))];
      left = next;
      return letterPath(letter, (u, v) => {
        const x = from + width * u;
        return [x, top(x) + (bottom(x) - top(x)) * v];
      });
    })
    .join('');
}

/**
 * A word that stands upright in a falling beam: letters below one another, growing from y0 to y1 between `left(y)` and
 * `right(y)`.
 */
export function cone(word, { y0, y1, origin, left, right }) {
  const letters = [...word.toUpperCase()];
  const growth = ((y1 - origin) / (y0 - origin)) ** (1 / letters.length);
  let top = y0;
  return letters
    .map((letter) => {
      const next = origin + (top - origin) * growth;
      const [from, height] = [top, (next - top) * (1 - GAP)];
      top = next;
      const narrow = letter === 'I' ? 0.3 : 0;
      return letterPath(letter, (u, v) => {
        const y = from + height * v;
        return [left(y) + (right(y) - left(y)) * (narrow + u * (1 - narrow * 2)), y];
      });
    })
    .join('');
}

/** A word that fills the box exactly. `bend(x, y)` may move every corner afterwards. */
export function block(word, x, y, width, height, bend = (a, b) => [a, b]) {
  const letters = [...word.toUpperCase()];
  const total = letters.reduce((sum, letter) => sum + widthOf(letter), 0) + GAP * (letters.length - 1);
  const unit = width / total;
  let left = x;
  return letters
    .map((letter) => {
      const from = left;
      left += (widthOf(letter) + GAP) * unit;
      return letterPath(letter, (u, v) => bend(from + widthOf(letter) * unit * u, y + height * v));
    })
    .join('');
}
