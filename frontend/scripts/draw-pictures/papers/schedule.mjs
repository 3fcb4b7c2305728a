import { C } from '../lib/palette.mjs';
import { plain, scenePicture, sheet } from '../lib/paper.mjs';
import { orbits, telescope } from '../scenes/science.mjs';

const SIZE = '210mm 297mm';
const CSS = `.page{width:210mm;height:297mm;padding:20mm 18mm 20mm}.front{background:${C.night};color:${C.lit};padding:0}.front .scene{width:210mm;height:150mm;object-fit:cover;display:block}
.front div{padding:12mm 18mm}.front h1{font-size:66pt;line-height:.9}.front .open{font-size:21pt;margin-top:5mm}.front dl{display:grid;grid-template-columns:34mm 1fr;gap:1.5mm 6mm;margin-top:9mm;font-size:11.5pt}.front dt{color:${C.turmeric};font-weight:600}
h2{font-size:34pt;margin-bottom:6mm}h3{font-size:17pt;color:${C.laterite}}.day{margin-bottom:6mm}.day h3{padding-bottom:1.6mm;border-bottom:1pt solid ${C.night}}
.session{display:grid;grid-template-columns:37mm 1fr 33mm;gap:3mm;padding:1.15mm 0;border-bottom:.4pt solid #cbbf9f;font-size:8.8pt;line-height:1.3}.session b{font-variant-numeric:tabular-nums}.session .kind{color:${C.laterite};font-weight:600}.session strong{font:800 11.5pt/1.1 Closed}
.packages{display:grid;grid-template-columns:1fr 1fr;gap:5mm 10mm}.package{break-inside:avoid}.package p{font-size:9pt;line-height:1.35;margin:1mm 0 1.4mm}.package li{font-size:8.6pt;line-height:1.3;padding:.55mm 0;border-top:.4pt solid #b9a877}.package ul{list-style:none;padding:0}
.end{position:absolute;left:0;bottom:0;width:210mm;height:66mm;object-fit:cover}.end+.foot{color:${C.lit}}.lit{background:${C.lit}}.lectures article{padding:5mm 0;border-top:1pt solid ${C.night}}.lectures article h3{color:${C.night};font-size:22pt}.lectures p{max-width:150mm}.foot{position:absolute;left:18mm;right:18mm;bottom:9mm;font-size:8pt;display:flex;justify-content:space-between}.sign{position:absolute;right:18mm;bottom:24mm;width:52mm;height:52mm}`;

/** Without the date: the festival moves by whole weeks, and the paper stays the same. */
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'Asia/Kolkata' });
const HOUR = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'Asia/Kolkata' });
const hours = ({ starts_at, ends_at }) => [starts_at, ends_at].filter(Boolean).map((moment) => HOUR.format(moment).replace(' ', ' ')).join(' to ');

/** The schedule of a sister festival, from the same rows as its page. */
export function schedule({ page, sessions, packages }, product) {
  const title = 'Schedule of the science film festival';
  const foot = (number) => `<div class="foot"><span>Science Film Festival</span><span>${number}</span></div>`;
  const days = byDay(sessions);
  const day = ([name, list]) => `<section class="day"><h3>${name}</h3>${list.map((one) => `<div class="session"><b>${hours(one)}</b><span><strong>${plain(one.title)}</strong> <span class="kind">${one.kind}</span>${one.person ? `<br>${plain(one.person)}` : ''}${one.description ? `<br><span class="quiet">${plain(one.description)}</span>` : ''}</span><span class="quiet">${plain(one.place ?? '')}</span></div>`).join('')}</section>`;
  const films = (text) => text.trim().split('\n');
  const all = packages.reduce((sum, { films: text }) => sum + films(text).length, 0);
  const pack = (one, i) => `<section class="package"><h3>${i + 1}&ensp;${plain(one.title)}</h3><p>${plain(one.description)} ${films(one.films).length} films, ${one.minutes} minutes.</p><ul>${films(one.films).map((film) => `<li>${plain(film)}</li>`).join('')}</ul></section>`;
  const lectures = sessions.filter(({ kind }) => kind === 'lecture');
  return sheet({
    title,
    size: SIZE,
    css: CSS,
    body: `<section class="page front">${scenePicture(telescope(), 'People with a telescope under the night sky')}<div><h1>Science Film Festival</h1><p class="open" lang="ml">${plain(page.malayalam)}</p><dl><dt>Edition</dt><dd>The second</dd><dt>When</dt><dd>Friday to Sunday, three days; the dates stand on the website</dd><dt>Where</dt><dd>Lantern Hall, Spice Lane, ${plain(product.city)}</dd><dt>What</dt><dd>${lectures.length} lectures, ${packages.length} film packages, ${all} films</dd><dt>Registration</dt><dd>200 rupees for all three days, at the door. Schools that come with a teacher are free in the mornings.</dd></dl></div></section>
<section class="page"><h2>Three days</h2>${[...days].map(day).join('')}${foot(2)}</section>
<section class="page lit"><h2>Five packages</h2><div class="packages">${packages.map(pack).join('')}</div>${foot(3)}</section>
<section class="page lectures"><h2>${lectures.length === 3 ? 'Three lectures' : 'Lectures'}</h2>${lectures.map((one) => `<article><h3>${plain(one.title)}</h3><p><strong>${plain(one.person)}</strong></p><p>${plain(one.description)}</p><p class="quiet">${DAY.format(one.starts_at)}, ${hours(one)}, ${plain(one.place)}</p></article>`).join('')}
<article><h3>The audience vote</h3><p>Your pass is your ballot paper: tear off one corner for the film that you would like your neighbours to see. The corners are counted on Sunday at five, in front of everyone, by two members of the audience and a physicist.</p></article>
<article><h3>How to get there</h3><p>Lantern Hall is seven minutes on foot from the boat jetty. The ramp is on the side of the spice market; there are six places for wheelchairs and a hearing loop in the stalls. Children under twelve come with somebody older, and bring somebody older out again.</p></article>${scenePicture(orbits(), 'A wall chart of the planets', 'end')}${foot(4)}</section>`,
  });
}

/** The sessions of each day, in order. */
function byDay(sessions) {
  const days = new Map();
  for (const session of sessions) {
    const name = DAY.format(session.starts_at);
    days.set(name, [...(days.get(name) ?? []), session]);
  }
  return days;
}
