import { C } from '../lib/palette.mjs';
import { plain, sheet } from '../lib/paper.mjs';
import { SIGNS } from '../lib/signs.mjs';

const CSS = `body{font-size:9.3pt;line-height:1.44}header{display:grid;grid-template-columns:1fr 36mm;gap:8mm;align-items:end;margin-bottom:6mm;padding:8mm;break-after:avoid}
header h1{font-size:33pt}header .open{font-size:12.5pt;line-height:1.5;margin-top:3mm}header p{margin-top:4mm;font-size:11pt}header svg{width:36mm;height:36mm}
section{padding:2.7mm 0;border-top:.7pt solid ${C.night};break-inside:avoid;overflow:hidden}section h2{float:left;width:44mm}section ol{margin-left:50mm}h2{font-size:14pt;color:${C.laterite}}
ol{list-style:none;padding:0;counter-reset:rule}li{padding-left:9mm;position:relative}li+li{margin-top:1.1mm}li::before{position:absolute;left:0;content:attr(data-number);color:#574625;font-weight:600}
td,th{text-align:left;vertical-align:top;padding:1mm 4mm 1mm 0;border-bottom:.4pt solid #cbbf9f}th{font-weight:600}tr:last-child>*{border-bottom:0}.end{margin-top:7mm;font-size:8.6pt;color:#574625}`;

/** Rules that all awards share; `own` are the sentences of one award. */
function parts(own, product) {
  return [
    ['The award', [...own.prizes, 'A jury may divide an award or give none. Prizes are paid within sixty days of the closing night, after tax where the law asks for it.']],
    ['Who may enter', [...own.who, 'Fiction, documentary and experimental films of at least sixty minutes, completed in the two years before the festival and not shown to a paying audience in Kerala before the festival.', 'Whoever enters a film holds its rights, or has the written consent of its producer. The consent is part of the entry.']],
    ['How to enter', ['Entries are made with the form on the festival’s website. An entry is complete when form, files and fee have arrived; it is confirmed by e-mail with a reference.', 'An online screener, in the original language with English subtitles, must work until the festival has ended. Give its password, if it has one; a form without a password is noted as “NO”.', 'A director may enter one film.']],
    ['What to send', [
      'A synopsis of up to 300 words and one of up to 100 words; a biography of the director of up to 200 words; cast and crew; a link to stills.',
      'Each file is smaller than 5 MB:',
      '<table><tr><th>Poster, photograph of the director, signature</th><td>a picture (JPEG, PNG or WebP)</td></tr><tr><th>Producer’s consent, documentation of the film</th><td>a PDF or a picture</td></tr><tr><th>Proof of payment</th><td>a picture of the payment’s confirmation</td></tr></table>',
    ]],
    ['Fee', [own.fee, 'It is paid by UPI to the id, or with the code, that the form shows, and proved with a screenshot. The fee pays for the viewing; it is not returned when a film is not selected or is withdrawn.']],
    ['Dates', ['The last day for entries and the days of the festival stand on the festival’s website and in the form.', '<table><tr><th>The last day, until midnight in Kerala</th><td>entries</td></tr><tr><th>Four weeks later</th><td>every film-maker has had an answer</td></tr><tr><th>Two weeks before the festival</th><td>the screening copies are in Kochi</td></tr></table>', 'Entries that come later are marked as late and are seen only if time is left.']],
    ['Selection and jury', ['At least three people watch every entry to the end. Their choice is final; they give reasons to those who ask for them.', 'A jury of three sees the selected films in the hall, among the audience. Nobody judges a film that he or she, a relative or an employer has a part in.']],
    ['Screening', ['Films are shown from DCP only, unencrypted or with keys that are valid from nine days before the festival until two days after it, with English subtitles.', 'A selected film may be shown up to three times in the festival’s halls, without a fee. It cannot be withdrawn after the programme has been announced.', 'The sender pays for the way to Kochi, the festival for the way back. While a copy is with us, it is insured for what a new copy costs.']],
    ['Publication', ['The festival may publish title, poster, stills, credits and synopsis, and excerpts of up to three minutes. All other rights stay with those who made the film.', 'Addresses and telephone numbers are seen by the organisers only; a company’s contact details are printed in the catalogue if the form says so. What else happens to personal data is said on the website under “Privacy and terms”.']],
    ['Acceptance', [`Whoever enters a film accepts these rules. What they do not say is decided by the ${plain(product.full_name)}. Indian law applies, and the courts of Ernakulam are responsible.`]],
  ];
}

/** The rules of one award, to be printed. */
export function rules(own, product) {
  const sections = parts(own, product)
    .map(([title, list], i) => `<section><h2>${i + 1}&ensp;${title}</h2><ol>${list.map((sentence, k) => `<li data-number="${i + 1}.${k + 1}">${sentence}</li>`).join('')}</ol></section>`)
    .join('');
  const light = own.ground === 'turmeric';
  const ink = light ? C.night : C.lit;
  const native = own.malayalam ? `<p class="open" lang="ml">${plain(own.malayalam)}</p>` : '';
  return sheet({
    title: own.title,
    size: 'A4',
    margin: '16mm 20mm 18mm',
    css: CSS,
    body: `<header style="background:${C[own.ground]};color:${ink}"><div><h1>${plain(own.title)}</h1>${native}<p>${plain(own.lead)}</p></div><svg viewBox="0 0 200 200" aria-hidden="true">${SIGNS[own.sign](ink, C[own.ground])}</svg></header>${sections}
<p class="end">${plain(product.full_name)}, Boat Jetty Road, ${plain(product.city)} 682011, Kerala, India.</p>`,
  });
}

/** The footer of every page: title and page number. */
export const footer = (title) => ({
  displayHeaderFooter: true,
  headerTemplate: '<span></span>',
  footerTemplate: `<div style="width:100%;margin:0 20mm;font:7.5pt sans-serif;color:#574625;display:flex;justify-content:space-between"><span>${plain(title)}</span><span><span class="pageNumber"></span> / <span class="totalPages"></span></span></div>`,
});
