import { film } from '../lib/film.mjs';
import { C, mix } from '../lib/palette.mjs';
import { random, repeat } from '../lib/random.mjs';
import { SIGNS } from '../lib/signs.mjs';
import { circle, group, line, path, polygon, rect } from '../lib/svg.mjs';

const W = 1280;
const H = 720;
const TURN = Math.PI * 2;
const SECONDS = 10;
/** The share of the loop in which the awards are given; the rest is applause. */
const AWARDS = 0.8;

const scissors = (fill, hole) => [-1, 1].map((k) => group(`translate(100 0) scale(${k} 1)`, circle(-42, 152, 34, fill) + circle(-42, 152, 16, hole) + path('M-24 128L34 8Q46 24 40 44L-6 140Z', fill))).join('') + circle(100, 106, 7, hole);
const heart = (fill) => path('M100 178C20 118 10 78 26 50Q46 20 78 34Q94 42 100 60Q106 42 122 34Q154 20 174 50C190 78 180 118 100 178Z', fill);
/** One sign for each award, in the order in which they are given. */
const ACTS = [SIGNS.reel, SIGNS.eye, SIGNS.seat, SIGNS.lens, scissors, SIGNS.waves, SIGNS.page, heart];
const COLOURS = [C.laterite, C.leaf, C.ember, C.night];

const ease = (k) => k * k * (3 - 2 * k);
const within = (k) => Math.min(1, Math.max(0, k));

/** The sign on the screen: it comes, stays and goes, and the next one follows. */
function act(t) {
  const place = (t / AWARDS) * ACTS.length;
  const index = Math.floor(place);
  if (index >= ACTS.length) return '';
  const k = place - index;
  const shown = ease(within(k / 0.22)) * ease(within((1 - k) / 0.16));
  const size = (0.82 + 0.18 * ease(within(k / 0.3))) * 1.35;
  return group(`translate(640 262) scale(${size.toFixed(3)}) translate(-100 -100)`, ACTS[index](COLOURS[index % COLOURS.length], C.lit), `opacity="${shown.toFixed(3)}"`);
}

/** Three rows of people; at the end everyone raises their hands. */
function audience(t) {
  const dice = random('applause');
  const joy = ease(within((t - AWARDS) / 0.07)) * ease(within((1 - t) / 0.06));
  return repeat(3, (row) => repeat(13, (i) => {
    const [home, phase, reach] = [i * 106 + (row % 2) * 50 + dice.between(-8, 8), dice.next(), dice.between(0.8, 1.15)];
    const r = 34 + row * 7;
    const x = home + 3 * Math.sin(TURN * (t * 2 + phase));
    const y = 566 + row * 66 + 2 * Math.sin(TURN * (t * 3 + phase)) - 6 * joy;
    const fill = mix('#0C0A0C', C.laterite, [0.3, 0.17, 0.07][row]);
    const clap = Math.sin(TURN * (t * 40 + phase)) * 7 * joy;
    const hands = joy > 0 ? [-1, 1].map((k) => line(`M${(x + k * r * 1.2).toFixed(1)} ${(y + r * 1.6).toFixed(1)}L${(x + k * (r * 0.75 + clap)).toFixed(1)} ${(y + r * 1.6 - r * 3.1 * joy * reach).toFixed(1)}`, fill, r * 0.46)).join('') : '';
    const body = path(`M${x - r * 1.5} ${y + r * 3.6}V${y + r * 1.9}Q${x - r * 1.4} ${y + r * 1.1} ${x - r * 0.5} ${y + r * 0.85}H${x + r * 0.5}Q${x + r * 1.4} ${y + r * 1.1} ${x + r * 1.5} ${y + r * 1.9}V${y + r * 3.6}Z`, fill);
    return hands + circle(x.toFixed(1), y.toFixed(1), r, fill) + body;
  }));
}

/** One frame; 1 looks like 0. */
function scene(t) {
  const breath = 0.2 + 0.03 * Math.sin(TURN * t * 4);
  const screen = rect(280, 70, 720, 390, C.lit) + act(t);
  const beam = polygon('640,-80 280,460 1000,460', C.lit, `opacity="${breath.toFixed(3)}"`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}">${rect(0, 0, W, H, '#120C0D')}${polygon('280,460 1000,460 1180,720 100,720', C.lit, 'opacity=".07"')}${screen}${beam}${audience(t)}</svg>`;
}

/** The loop that tells how the documentary and short film festival ended, and its still. */
export async function winnersFilm(studio, { winners_film: own }) {
  await studio.save(own.still, scene(0.75), { limit: 60_000 });
  await studio.write(own.film, await film(studio, SECONDS, scene));
}
