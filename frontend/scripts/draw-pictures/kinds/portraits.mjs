import { C, mix } from '../lib/palette.mjs';
import { grain, picture, polygon, rect } from '../lib/svg.mjs';
import { head } from '../shapes/head.mjs';

const SKIN = { deep: '#8A4A2B', warm: '#B26B3E', gold: '#CB8A52', pale: '#E2B58A' };
const grey = '#8B857C';
const white = '#D9D2C6';

// How each person looks; the names are in festival.json.
const looks = {
  guests: [
    { skin: SKIN.warm, crown: 'bun', cloth: C.leaf, trim: C.turmeric, jewel: C.turmeric, mark: C.laterite, ground: C.ember, light: C.lit },
    { skin: SKIN.gold, crown: 'curls', beard: 'full', cloth: C.lampBlack, trim: C.ember, ground: C.leafLight, light: C.lime, turn: -1 },
    { skin: SKIN.pale, crown: 'parted', cloth: C.laterite, trim: C.lime, ground: C.turmeric, light: C.lit },
    { skin: SKIN.pale, crown: 'bob', hair: '#5A2A18', glasses: true, cloth: C.night, trim: C.leafLight, ground: C.leaf, light: C.leafLight, turn: -1 },
  ],
  namesakes: [
    { skin: SKIN.deep, crown: 'bald', hair: white, beard: 'moustache', age: true, glasses: true, cloth: C.lime, trim: C.turmeric, ground: C.lampBlack, light: C.turmeric },
    { skin: SKIN.warm, crown: 'parted', hair: grey, age: true, cloth: C.laterite, trim: C.lime, mark: C.laterite, jewel: C.lit, ground: C.lampBlack, light: C.leafLight, turn: -1 },
    { skin: SKIN.gold, crown: 'short', hair: white, beard: 'full', age: true, cloth: C.lime, trim: C.lime, ground: C.lampBlack, light: C.ember },
    { skin: SKIN.deep, crown: 'scarf', hair: grey, age: true, cloth: C.leafLight, trim: C.leaf, ground: C.lampBlack, light: C.lit, turn: -1 },
  ],
  team: [
    { skin: SKIN.warm, crown: 'parted', hair: grey, glasses: true, cloth: C.turmeric, trim: C.laterite, ground: C.leaf, light: C.lit, jewel: C.lit },
    { skin: SKIN.deep, crown: 'short', beard: 'moustache', cloth: C.lime, trim: C.leaf, ground: C.laterite, light: C.turmeric, turn: -1 },
    { skin: SKIN.gold, crown: 'scarf', cloth: C.ember, trim: C.laterite, ground: C.leafLight, light: C.lime },
    { skin: SKIN.warm, crown: 'bald', beard: 'full', glasses: true, cloth: C.leaf, trim: C.lampBlack, ground: C.turmeric, light: C.lit, turn: -1 },
    { skin: SKIN.deep, crown: 'long', cloth: C.laterite, trim: C.turmeric, mark: C.laterite, jewel: C.turmeric, ground: mix(C.leaf, C.night, 0.4), light: C.leafLight },
    { skin: SKIN.gold, crown: 'curls', cloth: C.leafLight, trim: C.leaf, ground: C.ember, light: C.lit, turn: -1 },
    { skin: SKIN.warm, crown: 'bun', hair: white, age: true, cloth: C.lime, trim: C.laterite, jewel: C.turmeric, mark: C.laterite, ground: C.laterite, light: C.lit },
    { skin: SKIN.deep, crown: 'short', hair: white, beard: 'full', age: true, glasses: true, cloth: C.leaf, trim: C.lime, ground: C.turmeric, light: C.lit, turn: -1 },
    { skin: SKIN.pale, crown: 'scarf', cloth: C.leaf, trim: C.leafLight, ground: C.lampBlack, light: C.turmeric },
    { skin: SKIN.gold, crown: 'bob', glasses: true, cloth: C.lampBlack, trim: C.ember, ground: C.leafLight, light: C.lime, turn: -1 },
    { skin: SKIN.warm, crown: 'short', beard: 'full', cloth: C.turmeric, trim: C.lampBlack, ground: C.leaf, light: C.leafLight },
    { skin: SKIN.deep, crown: 'parted', cloth: C.ember, trim: C.lit, mark: C.laterite, jewel: C.lit, ground: C.turmeric, light: C.lit, turn: -1 },
    { skin: SKIN.gold, crown: 'curls', beard: 'moustache', cloth: C.leafLight, trim: C.lampBlack, ground: C.laterite, light: C.ember },
    { skin: SKIN.warm, crown: 'long', cloth: C.lime, trim: C.leaf, glasses: true, jewel: C.turmeric, ground: C.leaf, light: C.turmeric, turn: -1 },
    { skin: SKIN.deep, crown: 'bald', hair: grey, beard: 'moustache', cloth: C.laterite, trim: C.turmeric, ground: C.leafLight, light: C.lit },
    { skin: SKIN.pale, crown: 'bun', cloth: C.turmeric, trim: C.leaf, mark: C.laterite, jewel: C.laterite, ground: C.ember, light: C.lit, turn: -1 },
    { skin: SKIN.warm, crown: 'parted', hair: grey, beard: 'moustache', age: true, cloth: C.lampBlack, trim: C.lime, ground: C.turmeric, light: C.lime },
    { skin: SKIN.gold, crown: 'short', glasses: true, cloth: C.leafLight, trim: C.laterite, ground: C.lampBlack, light: C.ember, turn: -1 },
    { skin: SKIN.deep, crown: 'curls', hair: grey, beard: 'full', cloth: C.lime, trim: C.ember, ground: C.leaf, light: C.lit },
    { skin: SKIN.gold, crown: 'scarf', cloth: C.turmeric, trim: C.leaf, glasses: true, ground: C.laterite, light: C.lime, turn: -1 },
  ],
};

/** Portraits of guests, of the people the awards are named after, and of the team. */
export async function portraits(studio, { people }) {
  for (const [groupName, members] of Object.entries(people)) {
    for (const [i, person] of members.entries()) {
      const look = looks[groupName][i % looks[groupName].length];
      const beam = look.turn === -1 ? `820,${80 + i * 60} -10,-160 -10,760` : `-20,${80 + i * 60} 810,-160 810,760`;
      const body = rect(0, 0, 800, 1000, look.ground) + polygon(beam, look.light) + head(look) + grain(800, 1000, 0.14, i + 20);
      await studio.save(person.portrait, picture(800, 1000, body), { limit: 50_000 });
    }
  }
}
