import { grain } from '../lib/svg.mjs';
import { H, vignette, W } from '../scenes/light.mjs';
import { hall } from '../scenes/rooms.mjs';
import { bench, cells, crew, dome, orbits, telescope } from '../scenes/science.mjs';
import { backwater, landing } from '../scenes/waters.mjs';

const scenes = {
  'about-us': () => backwater({ mood: 'dawn', boat: 'houseboat', sun: 900, seed: 'about', x: 380 }),
  twenty: () => landing({ seed: 'twenty', people: 4 }),
  'isff-2025': telescope,
  'ifff-9th': () => hall({ show: 'mask', seed: 'folk' }),
  'ndsf-2025': crew,
  'submit-entry': () => hall({ show: 'screen', seed: 'entry' }),
  'science-1': telescope,
  'science-2': orbits,
  'science-3': cells,
  'science-4': bench,
  'science-5': dome,
};

/** Wide pictures for the standing pages, and the photographs of the science festival. */
export async function pages(studio, festival) {
  for (const [i, page] of [...festival.pages, ...festival.science].entries()) {
    const body = scenes[page.slug]() + vignette(0.4) + grain(W, H, 0.18, i + 90);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720" viewBox="0 0 ${W} ${H}">${body}</svg>`;
    await studio.save(page.image, svg, { limit: 60_000 });
  }
}
