// Draws every picture of the demonstration festival and sets its papers.
//   npm ci                                             once, in this folder
//   node draw.mjs [--only posters,stills] [--to folder]
// CHROMIUM names another browser and FFMPEG another encoder. What is drawn is listed in the JSON files next to the
// pictures, the science festival's schedule in the edition itself; the same input always gives the same files.
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { openStudio } from './lib/studio.mjs';
import { blogs } from './kinds/blogs.mjs';
import { daily, events } from './kinds/cards.mjs';
import { festivalPosters } from './kinds/festival-posters.mjs';
import { hero } from './kinds/hero.mjs';
import { icons } from './kinds/icons.mjs';
import { identity } from './kinds/identity.mjs';
import { magazines } from './kinds/magazines.mjs';
import { pages } from './kinds/pages.mjs';
import { papers } from './kinds/papers.mjs';
import { partners } from './kinds/partners.mjs';
import { patterns } from './kinds/patterns.mjs';
import { portraits } from './kinds/portraits.mjs';
import { posters } from './kinds/posters.mjs';
import { schedule } from './kinds/schedule.mjs';
import { stills } from './kinds/stills.mjs';
import { venues } from './kinds/venues.mjs';
import { winnersFilm } from './kinds/winners-film.mjs';

const kinds = { posters, stills, patterns, festivalPosters, schedule, daily, events, venues, portraits, blogs, pages, magazines, papers, partners, identity, icons, hero, winnersFilm };
const home = resolve(dirname(fileURLToPath(import.meta.url)), '../../../config/editions/pictures');
const { values } = parseArgs({ options: { only: { type: 'string' }, to: { type: 'string', default: home } } });

const wanted = values.only?.split(',') ?? Object.keys(kinds);
const unknown = wanted.filter((kind) => !(kind in kinds));
if (unknown.length) {
  console.error(`There is no kind of picture called ${unknown.join(', ')}. Known: ${Object.keys(kinds).join(', ')}`);
  process.exit(2);
}

const read = async (name) => JSON.parse(await readFile(join(home, name), 'utf8'));
const festival = {
  ...(await read('festival.json')),
  films: await read('films.json'),
  articles: await read('magazines.json'),
  documents: await read('documents.json'),
  edition: parseToml(await readFile(join(home, '../2025.toml'), 'utf8')),
};
const studio = await openStudio(values.to);
try {
  for (const kind of wanted) {
    const start = Date.now();
    await kinds[kind](studio, festival);
    console.log(`${kind} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
} finally {
  await studio.close();
}
