import type {
  Blog,
  Film,
  Magazine,
  Namesake,
  NextItem,
  Package,
  Picture,
  SessionDay,
  Site,
  UpcomingEvent,
  WinnerGroup,
} from '@/shared/api';
import type { FormsFacts } from '@/shared/api/generated/api';
import { hardData, site as hardSite } from '@/test/hard-data';

/** A drawn picture of any shape: its circle stays a circle wherever it is shown, or something stretches it. */
export function drawing(width: number, height: number, colour = '#a2301c'): string {
  const [x, y, r] = [width / 2, height / 2, Math.min(width, height) / 2.4];
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/><path d="M0 0L${width} ${height / 5}V${height}z" fill="#f2b233"/><circle cx="${x}" cy="${y}" r="${r}" fill="#ffe6a6"/></svg>`,
  )}`;
}

/** Texts as organisers write them: usual, long, in Malayalam, in both scripts at once. */
export const sampleText = {
  usual: 'The Lamp at the Landing',
  long: 'A Conversation about Everything That Was Left Out of the Film and of the Years in Which Nobody Asked for It',
  unbroken: 'Donaudampfschifffahrtsgesellschaftskapitänswitwe',
  malayalam: 'കടവിലെ വിളക്ക്',
  longMalayalam: 'ചലച്ചിത്രപ്രദർശനോദ്ഘാടനസമ്മേളനത്തോടനുബന്ധിച്ചുള്ള സംവാദങ്ങളെക്കുറിച്ച്',
  mixed: 'കൊട്ടക 2025: “Light”, വെളിച്ചം, and ₹1,300',
  scripts: ['पाथेर', 'পথের পাঁচালী', 'பரியேறும் பெருமாள்', 'శంకరాభరణం', 'ಕಾಂತಾರ', 'هیچ', 'ألف ليلة', 'Летят журавли', 'Λόλα'],
  names: 'Nguyễn Hạ Vi, Łucja Żółć, Şükrü Ağaoğlu',
} as const;

const hardFacts = hardSite as Site & FormsFacts;

/** The site's facts, with everything that a form may show. */
export const site: Site & FormsFacts = {
  ...hardFacts,
  product: {
    ...hardFacts.product,
    name: 'Velicham',
    full_name: 'Velicham International Film Festival',
    tagline: 'Light',
  },
  fees: {
    ...hardFacts.fees,
    memberships: [
      { key: 'student', label: 'Student Delegate', amount: 500, amount_text: '₹500' },
      { key: 'life', label: sampleText.long, amount: 10000, amount_text: '₹10,000' },
    ],
  },
  payment: {
    bank: {
      account_name: 'Sample account',
      account_number: '000000000000',
      bank: 'Sample bank',
      branch: 'Sample branch',
      ifsc: 'SAMP0000000',
    },
    upi: { id: 'sample@upi', payee: 'Sample payee' },
  },
  documents: {
    '/form-asian': [
      { key: 'rules', label: 'Rules of the competition', href: '#rules', size_text: '66 kB' },
      { key: 'schedule', label: sampleText.mixed, href: '#schedule', size_text: null },
    ],
  },
};

const films = hardData['/categories/1/films/'] as Film[];

/** A film with everything. */
export const film: Film = {
  ...(films[0] as Film),
  id: 1,
  name: sampleText.usual,
  original_title: sampleText.malayalam,
  poster: drawing(400, 600),
  director: sampleText.names,
  director_name: sampleText.names,
  writer_name: 'Meenu Thazhavara',
  producer_name: 'Kadavu Pictures',
  cast_details: 'Anagha Vellimon, Tobin Cherukara',
  crew_details: sampleText.mixed,
  synopsis: `A ferry, a lamp, and the night in which both went out.\n${sampleText.longMalayalam}`,
  year: 2025,
  country: 'India',
  language: 'Malayalam',
  duration_text: '92 min',
  still_one: drawing(1600, 900, '#12483c'),
  still_two: drawing(900, 1600, '#0b0a0c'),
};

/** A film with few facts and long texts. */
export const bareFilm: Film = {
  ...(Object.fromEntries(Object.keys(film).map((name) => [name, null])) as unknown as Film),
  id: 2,
  category_id: 1,
  category_name: film.category_name,
  name: sampleText.longMalayalam,
  year: 2025,
  duration_text: '92 min',
};

/** Posters with and without a title and a picture. */
export const pictures: Picture[] = (hardData['/posters/'] as Picture[]).slice(0, 5).map((picture, index) => ({
  ...picture,
  id: index,
  title: [sampleText.usual, sampleText.longMalayalam, null, sampleText.unbroken, sampleText.mixed][index] ?? null,
  image: index === 3 ? null : drawing(400 + 100 * index, 600, ['#a2301c', '#12483c', '#0b0a0c'][index % 3]),
}));

/** The next events. */
export const next: NextItem = {
  title: sampleText.usual,
  place: sampleText.usual,
  starts_at: '2025-10-24T18:00:00+05:30',
  when_text: 'Tomorrow, 6:00 PM',
  href: '/#upcoming-events',
};

/** An event of the coming days. */
export const event: UpcomingEvent = {
  ...((hardData['/upcoming-events/'] as UpcomingEvent[])[0] as UpcomingEvent),
  event: sampleText.usual,
  event_datetime_text: 'Oct 24, 2025, 6:00 PM',
  location: 'Kadavu Theatre, Kochi',
  image: drawing(1600, 900),
};

/** A blog. */
export const blog: Blog = {
  ...((hardData['/blogs/'] as Blog[])[0] as Blog),
  title: sampleText.usual,
  image: drawing(1280, 800),
  created_at_text: 'Aug 1, 2025, 10:00 AM',
  excerpt: `${sampleText.long}. ${sampleText.long}. ${sampleText.long}.`,
};

/** An issue of the magazine. */
export const issue: Magazine = {
  ...((hardData['/kottaka-magazines/'] as Magazine[])[0] as Magazine),
  name: 'Kottaka: Water on screen',
  Vol: '2',
  issue: '1',
  image: drawing(800, 1100),
  magazine: '#issue',
};

/** Somebody whom an award is named after. */
export const namesake: Namesake = {
  ...((hardData['/namesakes/'] as Namesake[])[0] as Namesake),
  name: 'Kunjananthan Valiyakulam',
  slug: 'kunjananthan',
  life: 'Projectionist, 1921–1994',
  award: 'Best debut Indian film',
  biography: `<p>For forty-four years he stood behind the audience.</p><p lang="ml">${sampleText.longMalayalam}.</p>`,
  portrait: drawing(800, 1000),
};

/** The winner of an award. */
export const winner: WinnerGroup['winners'][number] = {
  id: 1,
  film: sampleText.usual,
  person: sampleText.names,
  citation: 'For twelve minutes in which two neighbours divide a tree, and a friendship, with complete courtesy.',
  image: null,
  image_alt: null,
};

/** Text with everything that organisers may write. */
export const html = `<p>${sampleText.long}, with <strong>strong words</strong>, <em>stressed ones</em>, <a href="#link">a link</a> and <span lang="ml">മലയാളം</span> in the line.</p>
<h2>A heading</h2><p>Text beside it.</p><ul><li>One</li><li>${sampleText.names}</li></ul>
<h2 lang="ml">മലയാളത്തിൽ ഒരു തലക്കെട്ട്</h2><p lang="ml">${sampleText.longMalayalam}. സ്ത്രീ, ക്ഷമ, ജ്ഞാനം, അവൻ, അവൾ, വേൽ, കാർ, കൺ, അൎത്ഥം, ക്ക്വ, ന്റെ, <em>ഊന്നൽ</em>.</p>
<h3>A smaller heading</h3><blockquote><p>What will you do next?</p></blockquote>
<table><thead><tr><th>Time</th><th>Programme</th></tr></thead><tbody><tr><td>10:00 AM</td><td>${sampleText.mixed}</td></tr><tr><td>2:00 PM</td><td>${sampleText.unbroken}</td></tr></tbody></table>`;

const session: SessionDay['sessions'][number] = {
  id: 1,
  starts_at: '2025-08-08T10:00:00+05:30',
  starts_at_text: '10:00 AM',
  ends_at: '2025-08-08T11:00:00+05:30',
  ends_at_text: '11:00 AM',
  kind: 'lecture',
  kind_text: 'Lecture',
  title: sampleText.usual,
  person: sampleText.names,
  place: 'Lantern Hall',
  description: 'What a lens does to the dark, shown with a pinhole and a street.',
};

/** A day of a sister festival. */
export const day: SessionDay = {
  day: '2025-08-08',
  day_text: 'Friday 8 August 2025',
  sessions: [
    session,
    {
      ...session,
      id: 2,
      title: sampleText.longMalayalam,
      ends_at: null,
      ends_at_text: null,
      place: sampleText.unbroken,
    },
    { ...session, id: 3, title: sampleText.long, person: null, place: null, description: null },
  ],
};

/** Films that are shown together. */
export const packages: Package[] = [
  {
    id: 1,
    title: 'The small and the near',
    description: 'Ants, dust, a drop of pond water: films through a lens that goes close.',
    films: [sampleText.usual, sampleText.mixed, sampleText.longMalayalam],
    extent_text: '11 films, 88 minutes',
    image: drawing(1600, 900),
    image_alt: null,
  },
  { id: 2, title: sampleText.unbroken, description: null, films: [], extent_text: null, image: null, image_alt: null },
];
