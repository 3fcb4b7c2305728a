import { C, mix } from '../lib/palette.mjs';
import { grain } from '../lib/svg.mjs';
import { H, vignette, W } from '../scenes/light.mjs';
import { field } from '../scenes/lands.mjs';
import { face, hall, openAir, tableTop } from '../scenes/rooms.mjs';
import { backwater } from '../scenes/waters.mjs';

const scenes = [
  () => tableTop({ cloth: C.laterite, on: 'notebook' }),
  () => hall({ show: 'talk', seed: 'jury' }),
  () => hall({ show: 'screen', seed: 'full' }),
  () => backwater({ mood: 'dusk', boat: 'houseboat', sun: 900, seed: 'tickets', x: 420 }),
  () => openAir({ mood: 'night', count: 7 }),
  () => face({ skin: C.ember, ground: mix(C.leaf, C.leafLight, 0.25), hair: 'long', turn: 'front', cloth: C.turmeric }),
  () => field({ mood: 'dawn', on: 'two', seed: 'more' }),
];

/** Pictures of the blog, cut from the same scenes as the stills. */
export async function blogs(studio, festival) {
  for (const [i, blog] of festival.blogs.entries()) {
    const body = scenes[i % scenes.length]() + vignette(0.45) + grain(W, H, 0.2, i + 60);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="800" viewBox="0 0 ${W} ${H}" preserveAspectRatio="xMidYMid slice">${body}</svg>`;
    await studio.save(blog.image, svg, { limit: 60_000 });
  }
}
