import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';
import { wedge } from './alphabet.mjs';
import { letters, path, polygon } from './svg.mjs';

const here = dirname(dirname(fileURLToPath(import.meta.url)));

/** The name inside its beam, `width` by `width * 0.36`: the light as a shape and the letters cut into it. */
export function wordmark(name, width, light, ink) {
  const height = width * 0.36;
  const top = (x) => height * 0.3 - (height * 0.3 * x) / width;
  const bottom = (x) => height * 0.3 + (height * 0.7 * x) / width;
  const inset = (edge, other, share) => (x) => edge(x) + (other(x) - edge(x)) * share;
  const word = wedge(name, { x0: width * 0.11, x1: width * 0.985, origin: 0, top: inset(top, bottom, 0.09), bottom: inset(bottom, top, 0.09) });
  return (light ? polygon(`0,${height * 0.3} ${width},0 ${width},${height}`, light) : '') + letters(word, ink);
}

/** A word in Malayalam as plain outlines, so that no font is needed to show it; `y` is the baseline. */
export function malayalamOutline(word, x, y, size, fill) {
  const font = fontkit.create(readFileSync(join(here, 'node_modules/@fontsource/anek-malayalam/files/anek-malayalam-malayalam-800-normal.woff')));
  const scale = size / font.unitsPerEm;
  const run = font.layout(word);
  let pen = x;
  const outlines = run.glyphs.map((glyph, i) => {
    const step = run.positions[i];
    const d = glyph.path.scale(scale, -scale).translate(pen + step.xOffset * scale, y - step.yOffset * scale).toSVG();
    pen += step.xAdvance * scale;
    return d;
  });
  return { shape: path(outlines.join(''), fill), width: pen - x };
}
