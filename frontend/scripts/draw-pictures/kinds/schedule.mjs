import { C } from '../lib/palette.mjs';
import { grain, lines, picture, polygon, rect, text, wrap } from '../lib/svg.mjs';

const W = 1000;
const H = 1250;
const GROUNDS = [[C.lit, C.night, C.laterite], [C.laterite, C.lit, C.turmeric], [C.leaf, C.lit, C.turmeric], [C.turmeric, C.night, C.laterite], [C.night, C.lit, C.ember], [C.leafLight, C.night, C.leaf]];

/** One day of screenings as a table that can be read on a phone. */
function sheet(day, venues, [ground, ink, spot]) {
  const [left, top, first] = [56, 452, 168];
  const column = (W - left * 2 - first) / venues.length;
  const row = 172;
  const head = venues.map((venue, i) => text(left + first + i * column, top - 22, venue.name, { size: 28, fill: ink, weight: 700, stretch: 82 })).join('');
  const body = day.rows.map((slot, r) => {
    const y = top + r * row;
    const films = slot.films.map((film, i) => lines(left + first + i * column, y + 54, wrap(film, 14), { size: 39, fill: ink, weight: 700, stretch: 76, leading: 1 })).join('');
    return rect(left, y, W - left * 2, 3, ink) + text(left, y + 58, slot.time, { size: 48, fill: spot, weight: 800 }) + films;
  }).join('');
  return rect(0, 0, W, H, ground) + polygon(`${W * 0.36},0 ${W},0 ${W},340`, spot) + text(left - 8, 300, day.number, { size: 330, fill: ink, track: -0.03 }) + text(left + 330, 300, day.weekday, { size: 92, fill: ink }) + text(left + 332, 346, `${day.name} of the festival`, { size: 34, fill: ink, weight: 300, stretch: 115 }) + head + body + rect(left, top + day.rows.length * row, W - left * 2, 3, ink) + text(left, H - 44, 'Doors open 20 minutes before each screening. All films with English subtitles.', { size: 25, fill: ink, weight: 400, stretch: 100, fit: W - left * 2 });
}

/** The six tiles of the screening schedule. They name weekdays and no dates: the festival moves by whole weeks. */
export async function schedule(studio, { schedule: days, venues }) {
  for (const [i, day] of days.entries()) await studio.save(day.image, picture(W, H, sheet(day, venues, GROUNDS[i % GROUNDS.length]) + grain(W, H, 0.05, i + 1)), { limit: 90_000 });
}
