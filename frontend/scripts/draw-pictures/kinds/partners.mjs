import { lines, wrap } from '../lib/svg.mjs';
import { sign } from '../lib/signs.mjs';

// One colour that works on the dark of the hall and on paper alike.
const MARK = '#D04A2B';

/** Logos of partners and organisers, without a background. */
export async function partners(studio, festival) {
  for (const partner of [...festival.partners, ...festival.organisers]) {
    const rows = wrap(partner.name, 12);
    const size = rows.length > 2 ? 62 : 76;
    const top = 160 - ((rows.length - 1) * size * 0.94) / 2 + size * 0.34;
    // The hole in a sign is cut out with a mask, so that the background shows through.
    const cut = `<mask id="cut"><g>${sign(partner.sign, 30, 60, 200, '#fff', '#000')}</g></mask><rect width="640" height="320" fill="${MARK}" mask="url(#cut)"/>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="320" viewBox="0 0 640 320" font-family="'Anek Malayalam Variable'">${cut}${lines(262, top, rows, { size, fill: MARK, leading: 0.94, stretch: 78 })}</svg>`;
    await studio.save(partner.logo, svg, { limit: 20_000, clear: true });
  }
}
