import { grain, picture } from '../lib/svg.mjs';
import { typographic } from '../posters/letters.mjs';
import { objects } from '../posters/objects.mjs';
import { water } from '../posters/water.mjs';

const drawings = { ...water, ...typographic, ...objects };

/** One poster per film, each with a composition of its own. */
export async function posters(studio, { films }) {
  for (const [i, film] of films.entries()) {
    const draw = drawings[film.slug];
    if (!draw) throw new Error(`No poster composition for the film ${film.slug}: add one in posters/`);
    await studio.save(film.poster, picture(720, 1080, draw(film) + grain(720, 1080, 0.1, i + 1)), { limit: 60_000 });
  }
}
