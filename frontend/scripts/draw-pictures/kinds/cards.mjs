import { C, mix } from '../lib/palette.mjs';
import { clip, grain, picture, polygon, rect, text } from '../lib/svg.mjs';
import { sign } from '../lib/signs.mjs';

// Keeps the text readable where the beam itself is a strong colour.
const words = (light) => (light === C.ember ? C.lit : light);
const PAIRS = [[C.leaf, C.lit], [C.laterite, C.lime], [C.night, C.turmeric], [mix(C.laterite, C.night, 0.55), C.ember], [mix(C.leaf, C.night, 0.45), C.leafLight], [C.lampBlack, C.lit]];
// The beam comes from another corner on every card.
const BEAMS = ['0,90 1080,-160 1080,900', '1080,60 0,-120 0,840', '540,-60 1180,1080 120,1080', '0,1000 1080,60 1080,760', '1080,900 0,20 0,620', '-40,420 1080,-60 1080,820'];

function card(event, i) {
  const [ground, light] = PAIRS[i % 6];
  const shape = (fill) => polygon(BEAMS[i % 6], fill);
  const at = [[470, 150], [90, 130], [370, 230], [480, 170], [110, 120], [440, 130]][i % 6];
  return rect(0, 0, 1080, 1080, ground) + shape(light) + sign(event.sign, ...at, 500, mix(ground, light, 0.16), ground) + clip('lit', shape(light), sign(event.sign, ...at, 500, ground, light)) + rect(0, 790, 1080, 290, ground) +
    text(56, 900, event.title, { size: 96, fill: words(light), ...(event.title.length > 20 ? { fit: 968 } : {}) }) + text(58, 968, event.when, { size: 46, fill: words(light), weight: 500, stretch: 90 }) + text(58, 1026, event.where, { size: 46, fill: words(light), weight: 300, stretch: 100 });
}

function strip(event, i) {
  const [ground, light] = PAIRS[(i + 1) % 6];
  const beam = ['-10,70 960,-140 960,560', '970,40 0,-90 0,560', '480,-40 1010,600 120,600', '-10,560 960,20 960,420', '970,520 0,-20 0,400'][i % 5];
  const at = [[420, 50], [80, 70], [345, 110], [480, 60], [140, 50]][i % 5];
  return rect(0, 0, 960, 600, ground) + polygon(beam, light) + sign(event.sign, ...at, 420, mix(ground, light, 0.16), ground) + clip('lit', polygon(beam, light), sign(event.sign, ...at, 420, ground, light)) + polygon(`0,600 0,${520 - i * 12} 960,600`, C.night);
}

/** The daily events: cards with their text drawn in. */
export async function daily(studio, festival) {
  for (const [i, event] of festival.daily.entries()) await studio.save(event.image, picture(1080, 1080, card(event, i) + grain(1080, 1080, 0.08, i + 1)), { limit: 60_000 });
}

/** The upcoming events: pictures without text, because the strip sets its own. */
export async function events(studio, festival) {
  for (const [i, event] of festival.events.entries()) await studio.save(event.image, picture(960, 600, strip(event, i) + grain(960, 600, 0.12, i + 1)), { limit: 50_000 });
}
