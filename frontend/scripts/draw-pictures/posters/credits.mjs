import { text } from '../lib/svg.mjs';

/** The two small lines at the bottom of every film poster. */
export function credits(film, fill, { x = 48, y = 1030, anchor = 'start', size = 25 } = {}) {
  return text(x, y - size * 1.15, `A film by ${film.director}`, { size, fill, anchor, weight: 700, stretch: 90 }) + text(x, y, `${film.country}, ${film.minutes} minutes`, { size: size * 0.84, fill, anchor, weight: 400, stretch: 100 });
}
