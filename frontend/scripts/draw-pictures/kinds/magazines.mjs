import { block } from '../lib/alphabet.mjs';
import { C, mix } from '../lib/palette.mjs';
import { repeat } from '../lib/random.mjs';
import { plain, scenePicture, sheet } from '../lib/paper.mjs';
import { circle, grain, letters, path, picture, polygon, rect, text } from '../lib/svg.mjs';
import { SIGNS } from '../lib/signs.mjs';
import { palm, wave } from '../shapes/nature.mjs';
import { station } from '../scenes/lands.mjs';
import { hall, openAir, room, tableTop } from '../scenes/rooms.mjs';
import { backwater, underwater } from '../scenes/waters.mjs';

const W = 800;
const H = 1100;

const covers = {
  'the-dark-room': { ground: C.night, ink: C.lit, draw: () => polygon('70,470 800,250 800,960', C.lit) + rect(0, 400, 110, 140, C.laterite) + circle(70, 470, 26, C.lit) + repeat(7, (i) => path(`M${250 + i * 84} 1100V${800 + (i % 2) * 24}q0 -62 46 -62t46 62V1100Z`, C.night)) },
  'first-films': { ground: C.turmeric, ink: C.night, draw: () => letters(block('1', 250, 300, 330, 620), C.laterite) + repeat(15, (i) => rect(56 + i * 47, 270, 26, 18, C.night) + rect(56 + i * 47, 936, 26, 18, C.night)) },
  'water-on-screen': { ground: C.leaf, ink: C.lit, draw: () => rect(90, 310, 620, 410, C.lit) + circle(520, 470, 84, C.ember) + `<clipPath id="screen">${rect(90, 310, 620, 410, C.lit)}</clipPath><g clip-path="url(#screen)">${palm(220, 640, 300, C.night, { lean: 0.1, seed: 'cover' })}</g>` + repeat(6, (i) => wave(0, 600 + i * 74, W, H, mix(C.leafLight, C.leaf, i / 6), { size: 26 + i * 5, length: 210 + i * 30, shift: i * 61 })) },
  'the-audience': { ground: C.laterite, ink: C.lit, draw: () => polygon('400,230 -60,1100 860,1100', C.ember) + repeat(5, (row) => rect(0, 560 + row * 118, W, 120, mix(C.lampBlack, C.laterite, 0.5 - row * 0.11)) + repeat(8, (i) => { const [x, y, r] = [i * 118 - 20 + (row % 2) * 59, 500 + row * 118, 46]; const fill = row === 2 && i === 4 ? C.lit : mix(C.lampBlack, C.laterite, 0.5 - row * 0.11); return circle(x, y, r, fill) + path(`M${x - 84} ${y + 150}Q${x - 80} ${y + 54} ${x - 20} ${y + 46}H${x + 20}Q${x + 80} ${y + 54} ${x + 84} ${y + 150}Z`, fill); })) },
};

function cover(magazine, product) {
  const { ground, ink, draw } = covers[magazine.slug];
  const [title] = magazine.name.split(' – ');
  return draw() + rect(0, 0, W, 236, ground) + letters(block(title, 48, 54, 704, 118), ink) + text(48, 216, magazine.theme, { size: 42, fill: ink, weight: 300, stretch: 115 }) + text(752, 216, `Volume ${magazine.volume}, issue ${magazine.issue}`, { size: 28, fill: ink, weight: 600, anchor: 'end', stretch: 90 }) + rect(0, 1040, W, 60, ground) + text(48, 1080, `The magazine of the ${product.full_name}`, { size: 25, fill: ink, weight: 500, stretch: 90 });
}

const SCENES = {
  room: () => room({ mood: 'ember', furniture: 'table' }),
  'hall-screen': () => hall({ show: 'screen', seed: 'row' }),
  'hall-talk': () => hall({ show: 'talk', seed: 'row' }),
  table: () => tableTop({ cloth: C.leaf, on: 'notebook' }),
  station: () => station({ mood: 'dusk', seed: 'train' }),
  underwater: () => underwater({ seed: 'level' }),
  backwater: () => backwater({ mood: 'dusk', boat: 'houseboat', sun: 900, seed: 'barge' }),
  'open-air': () => openAir({ mood: 'night', count: 9 }),
};

const SIZE = '148mm 203.5mm';
const CSS = `.page{width:148mm;height:203.5mm;padding:15mm 14mm 18mm}.cover{padding:0}.scene{display:block;width:148mm;height:74mm;margin:-15mm -14mm 8mm;object-fit:cover}
h1{font-size:35pt;margin-bottom:3mm}h2{font-size:30pt;margin-bottom:2.5mm}.by{font-weight:600;margin-bottom:6mm;color:${C.laterite}}
p{hyphens:auto;orphans:2;widows:2}p+p{text-indent:5mm}.by+.lead,.lead{text-indent:0;font-weight:300;font-size:14pt;line-height:1.36;margin-bottom:4mm}.lead+p{text-indent:0}
.foot{position:absolute;left:14mm;right:14mm;bottom:8mm;font-size:7.6pt;display:flex;justify-content:space-between}
.night{background:${C.night};color:${C.lit}}.night .by,.night .quiet{color:${C.turmeric}}.lit{background:${C.lit}}.night a,.lit a{color:inherit}
.caption{position:absolute;right:14mm;top:75.5mm;font-size:7.6pt;color:#574625}.quote,.by+.quote,p+.quote{text-indent:0}.quote{position:absolute;left:14mm;right:66mm;bottom:20mm;font:800 21pt/1.02 Closed;color:#A2301C}.sign{position:absolute;right:14mm;bottom:20mm;width:38mm;height:38mm}
ol.contents{list-style:none;padding:0;margin-bottom:9mm}ol.contents li{display:grid;grid-template-columns:12mm 1fr;padding:2.2mm 0;border-top:.5pt solid currentColor}
ol.contents b{font:800 15pt/1 Closed;color:${C.turmeric}}ol.contents strong{font:800 15pt/1.05 Closed}.ml p{font-size:12.4pt;margin-bottom:4mm}.ml p+p{text-indent:0}.ml h2{font-size:34pt;line-height:1.3}
.colophon{position:absolute;left:14mm;right:60mm;bottom:20mm;font-size:8.2pt;line-height:1.45}.colophon p+p{text-indent:0;margin-top:2mm}`;

/** How many paragraphs of a text fit below its picture; the first is set larger than the others. */
function firstPart({ title, paragraphs }) {
  // A title of more than one line takes the space of two lines of text.
  let letters = paragraphs[0].length * 0.6 + (title.length > 26 ? 150 : 0);
  return Math.max(1, paragraphs.findIndex((paragraph) => (letters += paragraph.length) > 940));
}

/** The eight pages of an issue: cover, contents, two stories on two pages each, a page in Malayalam, a short piece and the imprint. */
function issue(magazine, texts, product, front) {
  const foot = (page) => `<div class="foot"><span>${plain(magazine.name)}</span><span>${page}</span></div>`;
  const paragraphs = (list, lead = false) => list.map((content, i) => `<p${lead && i === 0 ? ' class="lead"' : ''}>${plain(content)}</p>`).join('');
  const story = (article, page) => {
    const cut = firstPart(article);
    const picture = scenePicture(SCENES[article.picture](), article.caption ?? '');
    const caption = article.caption ? `<div class="caption">${plain(article.caption)}</div>` : '';
    return `<section class="page">${picture}${caption}<h1>${plain(article.title)}</h1><p class="by">${plain(article.author)}</p>${paragraphs(article.paragraphs.slice(0, cut), true)}${foot(page)}</section>
<section class="page">${paragraphs(article.paragraphs.slice(cut))}<p class="quote" aria-hidden="true">${plain(article.quote)}</p><svg class="sign" viewBox="0 0 200 200">${SIGNS[texts.short.sign](C.laterite, '#fff')}</svg>${foot(page + 1)}</section>`;
  };
  const [first, second] = texts.articles;
  const entry = (page, title, by, lang = '') => `<li><b>${page}</b><span><strong${lang}>${plain(title)}</strong><br>${plain(by)}</span></li>`;
  const ml = texts.malayalam;
  return sheet({
    title: magazine.name,
    size: SIZE,
    css: CSS,
    body: `<div class="page cover" role="img" aria-label="Cover: ${plain(magazine.name)}">${front.replace('<svg ', '<svg class="front" ')}</div>
<section class="page night"><h2>In this issue</h2><ol class="contents">${entry(3, first.title, first.author)}${entry(5, second.title, second.author)}${entry(7, ml.title, ml.author, ' lang="ml"')}${entry(8, texts.short.title, texts.short.author)}</ol><h2>To begin</h2>${paragraphs(texts.editorial)}${foot(2)}</section>
${story(first, 3)}${story(second, 5)}
<section class="page lit ml" lang="ml"><h2>${plain(ml.title)}</h2><p class="by">${plain(ml.author)}</p>${paragraphs(ml.paragraphs)}<svg class="sign" viewBox="0 0 200 200">${SIGNS.beam(C.night, C.lit)}</svg>${foot(7)}</section>
<section class="page"><h2>${plain(texts.short.title)}</h2><p class="by">${plain(texts.short.author)}</p>${paragraphs(texts.short.paragraphs, true)}
<div class="colophon"><p><strong>Kottaka</strong>, the magazine of the ${plain(product.full_name)}. Volume ${magazine.volume}, issue ${magazine.issue}: ${plain(magazine.theme)}.</p><p>Editor: Prasad Kuttanelloor. Published by the Kochi Film Circle, Boat Jetty Road, Kochi 682011. Printed at the Kayal Press; set in Anek Malayalam. Free of charge; please pass it on.</p><p>Texts and drawings belong to those who made them and may be quoted with their source.</p></div>
<svg class="sign" viewBox="0 0 200 200">${SIGNS[texts.short.sign](C.night, '#fff')}</svg>${foot(8)}</section>`,
  });
}

/** Covers, and the issues themselves as PDF. */
export async function magazines(studio, { magazines: list, articles, product }) {
  for (const magazine of list) {
    const front = cover(magazine, product);
    const { ground } = covers[magazine.slug];
    await studio.save(magazine.image, picture(W, H, front + grain(W, H, 0.1, 9), ground), { limit: 60_000 });
    const own = articles.find((entry) => entry.slug === magazine.slug);
    if (!own) throw new Error(`magazines.json has no texts for ${magazine.slug}`);
    await studio.write(magazine.magazine, await studio.print(issue(magazine, own, product, picture(W, H, front, ground))));
  }
}
