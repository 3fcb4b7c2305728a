import { grain, picture } from '../lib/svg.mjs';
import { H, vignette, W } from '../scenes/light.mjs';
import { stills as drawings } from '../scenes/table.mjs';

/** Two drawn frames per film, with grain and a lens. */
export async function stills(studio, { films }) {
  for (const [i, film] of films.entries()) {
    for (const [k, draw] of (drawings[film.slug] ?? []).entries()) {
      await studio.save(film.stills[k], picture(W, H, draw() + vignette(0.5) + grain(W, H, 0.24, i * 2 + k + 1)), { limit: 50_000 });
    }
  }
}
