import { C } from '../lib/palette.mjs';
import { plain, scenePicture, sheet } from '../lib/paper.mjs';
import { SIGNS } from '../lib/signs.mjs';
import { hall, openAir } from '../scenes/rooms.mjs';

const SCENES = {
  mask: [() => hall({ show: 'mask', seed: 'folk' }), 'A hall with an audience, and on the stage a painted mask'],
  'open-air': [() => openAir({ mood: 'night', count: 7 }), 'A sail between two palms as a screen, and people in front of it'],
};

const CSS = `.page{width:148mm;height:210mm;padding:15mm 14mm 18mm}.front{padding:0}.front .scene{width:148mm;height:104mm;object-fit:cover;display:block}.front div{padding:8mm 14mm}.front h1{font-size:56pt;line-height:.86}
.front .open{font-size:16pt;line-height:1.25;margin-top:3mm}.front dl{display:grid;grid-template-columns:20mm 1fr;gap:1mm 4mm;margin-top:6mm}.front dt{font-weight:600}
h2{font-size:27pt;margin-bottom:5mm}p+p{text-indent:5mm}.words p:first-of-type{font-weight:300;font-size:13.5pt;line-height:1.38;margin-bottom:4mm}.words p:first-of-type+p{text-indent:0}
.film{padding:3.4mm 0;border-top:.7pt solid ${C.night};break-inside:avoid}.film h3{font-size:18pt}.film p{font-size:10.8pt;line-height:1.42;text-indent:0}.film .facts{color:#574625}.foot{position:absolute;left:14mm;right:14mm;bottom:8mm;font-size:7.6pt;display:flex;justify-content:space-between}
.words .quiet,.words p+.quiet{text-indent:0;margin-top:4mm}svg.sign{overflow:visible}.sign{position:absolute;right:14mm;bottom:20mm;width:42mm;height:42mm}.lit{background:${C.lit}}.last p{max-width:100mm}.last p+p{text-indent:0;margin-top:3mm}`;

/** The booklet of a past festival: cover, foreword, films, imprint. */
export function programme(own, product) {
  const foot = (page) => `<div class="foot"><span>${plain(own.title)}, ${plain(own.dates)}</span><span>${page}</span></div>`;
  const film = ([title, country, length, text]) => `<article class="film"><h3>${plain(title)}</h3><p class="facts">${plain(country)}, ${plain(length)}</p><p>${plain(text)}</p></article>`;
  const [scene, seen] = SCENES[own.scene];
  const half = Math.ceil(own.films.length / 2);
  const ink = own.ground === 'turmeric' ? C.night : C.lit;
  const minutes = own.films.reduce((sum, [, , length]) => sum + Number.parseInt(length, 10), 0);
  return sheet({
    title: `${own.title}: ${own.subtitle}`,
    size: '148mm 210mm',
    css: CSS,
    body: `<section class="page front" style="background:${C[own.ground]};color:${ink}">${scenePicture(scene(), seen)}<div><h1>${plain(own.title)}</h1><p class="open">${plain(own.subtitle)}</p><dl><dt>When</dt><dd>${plain(own.dates)}</dd><dt>Where</dt><dd>${plain(own.place)}</dd></dl></div></section>
<section class="page lit words"><h2>A word before</h2>${own.foreword.map((paragraph) => `<p>${plain(paragraph)}</p>`).join('')}<p class="quiet">Kurian Aattuvaram, head of the folklore film festival</p><svg class="sign" viewBox="0 0 200 200">${SIGNS.mask(C.laterite, C.lit)}</svg>${foot(2)}</section>
<section class="page"><h2>The films</h2>${own.films.slice(0, half).map(film).join('')}${foot(3)}</section>
<section class="page">${own.films.slice(half).map(film).join('')}${foot(4)}</section>
<section class="page lit last"><h2>Thanks</h2><p>${own.films.length} films, ${minutes} minutes: to everyone who is in them, and to everyone who asked before filming.</p><p>Films stay with the communities in which they were made. If you would like to show one, write to us; we pass the letter on, in translation where that helps.</p><p><strong>${plain(own.title)}</strong>, ${plain(own.subtitle.toLowerCase())}, is a part of the ${plain(product.full_name)}. Published by the Kochi Film Circle, Boat Jetty Road, ${plain(product.city)} 682011. Printed at the Kayal Press; set in Anek Malayalam.</p><svg class="sign" viewBox="0 0 200 200">${SIGNS.drum(C.night, C.lit)}</svg>${foot(5)}</section>`,
  });
}
