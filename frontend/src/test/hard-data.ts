import type { Blog, Category, Film, Programme, SessionDay, Site } from '@/shared/api';
import type { FormsFacts } from '@/shared/api/generated/forms-facts';

/** Texts that break pages: other scripts, quotes, line ends, braces, markup, and what looks like a template. */
const hardTexts = [
  'വെളിച്ചം: ചലച്ചിത്രമേള',
  `"double" 'single' \`back\` “curly” = equals`,
  'first line\r\nsecond line\rthird line\n',
  '{{z}} {{{z}}} {{#if z}} \\{{z}}',
  '</script><script>alert(1)</script> <!-- --> <b>&amp; & &lt;</b>',
  '  spaces around \u00a0 and a family 👩‍👩‍👧 \u200d\u2028',
  '0',
] as const;

/** One of the hard texts. */
function hard(index: number): string {
  return hardTexts[index % hardTexts.length] as string;
}

export const site: Site & FormsFacts = {
  product: {
    name: hard(1),
    slug: 'lamp',
    full_name: hard(0),
    native_name: 'വെളിച്ചം',
    city: hard(3),
    region: hard(4),
    country: 'India',
    tagline: hard(2),
  },
  edition: {
    year: 2025,
    ordinal: 20,
    ordinal_text: '20th',
    name: hard(5),
    starts_on: '2025-10-24',
    ends_on: '2025-10-31',
    dates_text: '24 to 31 October 2025',
    is_near: true,
    submission_deadline: '2025-09-01',
    submission_deadline_text: '1 September 2025',
    submission_deadline_american_text: 'September 1, 2025',
    countdown_at: '2999-09-03T22:00:00',
    countdown_text: hard(3),
    countdown_at_text: '3 September 2999, 10:00 PM',
  },
  modules: { festivals: true, films: true, content: true, forms: true, magazines: true, programme: true },
  menu: {
    header: [
      { label: hard(4), href: null, items: [{ label: hard(3), href: '/about-us' }] },
      { label: hard(0), href: '/films', items: [] },
    ],
    actions: [{ label: hard(1), href: '/form' }],
    footer: [{ label: hard(5), href: '/history' }],
  },
  contact: { email: 'a+b@festival.test', phone: null, phone_href: null, address: hard(2) },
  social: [{ label: hard(1), href: 'https://social.test/?a=1&b="2"' }],
  fees: {
    memberships: [{ key: 'student', label: hard(3), amount: 500, amount_text: '₹500' }],
    film_submission_inr: 5000,
    film_submission_usd: 60,
    film_submission_text: hard(1),
    science_public: 200,
    science_public_text: '₹200',
  },
  payment: { bank: null, upi: { id: 'x@y', payee: hard(4) } },
  documents: Object.fromEntries(
    ['/isff-2025', '/form-asian'].map((path, id) => [
      path,
      [{ key: 'd', label: hard(4), href: 'https://festival.test/a.pdf?x=1&y=2', size_text: id % 2 ? null : '1.2 MB' }],
    ]),
  ),
  analytics: { frame: '', link: null },
  logo: null,
  logo_name: null,
};

/** A film of which nothing is known but its title. */
export const bareFilm: Film = {
  id: 0,
  category_id: 1,
  name: hard(1),
  original_title: null,
  poster: null,
  director: null,
  director_name: null,
  writer_name: null,
  producer_name: null,
  cast_details: null,
  crew_details: null,
  synopsis: null,
  year: null,
  country: null,
  language: null,
  subtitle_language: null,
  duration_minutes: null,
  duration_text: null,
  poster_alt: null,
  still_one: null,
  still_one_alt: null,
  still_two: null,
  still_two_alt: null,
  category_name: hard(1),
  category_desc: null,
};

function film(id: number, category_id: number): Film {
  return {
    ...bareFilm,
    id,
    category_id,
    name: hard(id),
    original_title: id % 2 ? hard(0) : null,
    poster: id % 3 ? `https://festival.test/p/${id}.webp?a=1&b=2` : null,
    director: id % 2 ? hard(id + 1) : null,
    director_name: id % 2 ? hard(id + 1) : null,
    writer_name: hard(id + 2),
    producer_name: '',
    cast_details: hard(2),
    synopsis: hard(4),
    year: id % 2 ? 2025 : null,
    country: '',
    subtitle_language: id % 2 ? 'English' : hard(3),
    duration_minutes: 92,
    duration_text: '92 min',
    still_one: id % 2 ? null : 'https://festival.test/s.webp',
    still_two: id % 3 ? null : 'https://festival.test/t.webp',
    poster_alt: id % 2 ? hard(id) : null,
    category_name: hard(id),
    category_desc: id % 2 ? null : hard(5),
  };
}

const films = [1, 2, 3, 4, 5, 6].map((id) => film(id, 1));

const categories: Category[] = [1, 2, 3].map((id) => ({
  id,
  name: hard(id),
  slug: `c-${id}`,
  category_desc: id % 2 ? hard(id) : '',
  film_count: id,
}));

const blogs: Blog[] = hardTexts.map((text, id) => ({
  id,
  title: text,
  image: id % 2 ? null : 'https://festival.test/b.webp',
  image_alt: id % 2 ? null : text,
  content: `<p>${id} <a href="/films">&quot;films&quot;</a> {{z}}</p><p>വെളിച്ചം\r\n</p>`,
  created_at: '2025-08-01T10:00:00+05:30',
  created_at_text: 'August 1, 2025',
  excerpt: text,
}));

const image = 'https://festival.test/i.webp?a=1&b=2';
const pictures = hardTexts.map((title, id) => ({
  id,
  title: id % 2 ? null : title,
  image: id % 3 ? image : null,
  image_alt: id % 2 ? title : null,
}));

function page(slug: string, index: number) {
  return {
    slug,
    title: hard(index),
    malayalam: index % 2 ? 'വെളിച്ചം {{z}}' : null,
    lead: index % 2 ? hard(index + 1) : null,
    body: index % 3 ? `<p>${slug} &amp; <em>{{z}}</em>\r\n</p>` : null,
    image: index % 2 ? image : null,
    image_alt: index % 3 ? hard(index) : null,
    image_small: index % 2 ? image : null,
    video: index % 3 ? 'https://festival.test/v.mp4' : null,
    video_poster: index % 2 ? image : null,
    video_text: index % 3 ? hard(index) : null,
    pictures: index % 2 ? pictures : [],
  };
}

const sessionDays: SessionDay[] = [
  {
    day: '2025-08-08',
    day_text: 'Friday 8 August 2025',
    sessions: hardTexts.map((title, id) => ({
      id,
      starts_at: '2025-08-08T10:00:00+05:30',
      starts_at_text: '10:00 AM',
      ends_at: null,
      ends_at_text: id % 2 ? null : '11:00 AM',
      kind: 'lecture',
      kind_text: hard(id),
      title,
      person: id % 2 ? null : title,
      place: id % 3 ? null : title,
      description: id % 2 ? title : null,
    })),
  },
];

const programme: Programme = {
  version: 2,
  released_at: '2025-10-20T10:00:00+05:30',
  time_zone: 'Asia/Kolkata',
  days: ['2025-10-24', '2025-10-25'],
  halls: [1, 2].map((id) => ({
    id,
    name: hard(id),
    venue: id % 2 ? null : hard(4),
    map_link: null,
    capacity: null,
    wheelchair_seats: null,
    walking: [],
  })),
  films: hardTexts.map((title, id) => ({
    id,
    title,
    original_title: id % 2 ? null : hard(0),
    directors: id % 2 ? [] : [hard(id + 1)],
    countries: id % 3 ? [] : [hard(4)],
    languages: id % 2 ? [hard(0)] : [],
    year: id % 2 ? 2025 : null,
    minutes: id % 2 ? null : 92,
    section: { id: 1, name: hard(3) },
    synopsis: id % 2 ? null : hard(id),
    poster: null,
    poster_alt: null,
  })),
  screenings: hardTexts.map((title, id) => ({
    id,
    day: '2025-10-24',
    starts_at: id === 6 ? '2025-10-25T00:30:00+05:30' : `2025-10-24T${10 + id}:10:00+05:30`,
    ends_at: id === 6 ? '2025-10-25T04:55:00+05:30' : `2025-10-24T${12 + id}:00:00+05:30`,
    minutes: 110,
    talk_minutes: 0,
    hall: (id % 2) + 1,
    kind: 'film',
    title,
    films: id === 0 ? [] : id === 1 ? [1, 2] : [id],
    guests: id % 2 ? [hard(id)] : [],
    with_guests: id % 3 === 0,
    language: id % 2 ? hard(0) : null,
    subtitles: id % 3 ? 'English' : null,
    audience: id % 2 ? 'all' : 'delegates',
    cancelled: id === 4,
    change:
      id === 3
        ? { kind: 'moved', at: '2025-10-20T10:00:00+05:30', was: { hall: 1, starts_at: '2025-10-25T10:00:00+05:30' } }
        : null,
    version: 1,
  })),
};

const slugs = ['home', 'about-us', 'privacy-and-terms', 'isff-2025', 'ifff-9th', 'ndsf-2025', 'submit-entry', 'twenty'];

/** Every API path that a page may ask for, with data that break careless pages. */
export const hardData: Record<string, unknown> = {
  '/site/': site,
  '/next/': [
    {
      title: hard(1),
      place: hard(2),
      starts_at: '2025-10-24T18:00:00+05:30',
      when_text: hard(3),
      href: '/#upcoming-events',
    },
  ],
  '/upcoming-events/': [0, 1].map((id) => ({
    id,
    event: hard(id + 3),
    event_datetime: '2025-10-24T18:00:00+05:30',
    event_datetime_text: 'Oct 24, 2025, 6:00 PM',
    location: id ? hard(2) : '',
    image: null,
    image_alt: null,
  })),
  '/categories/': categories,
  '/categories/1/films/': films,
  '/categories/1/films/parts/1/': { number: 1, previous: null, next: 2, count: 54, films },
  '/categories/1/films/parts/2/': { number: 2, previous: 1, next: null, count: 54, films },
  ...Object.fromEntries(films.map((film) => [`/categories/1/films/${film.id}/`, film])),
  '/categories/1/a-z/': {
    id: 1,
    name: hard(0),
    category_desc: hard(1),
    count: films.length,
    letters: [
      { letter: '0-9', films: films.slice(0, 2) },
      { letter: 'വ', films: films.slice(2) },
    ],
  },
  '/categories/2/a-z/': { id: 2, name: hard(1), category_desc: null, count: 0, letters: [] },
  '/categories/2/films/': [],
  '/categories/2/films/parts/1/': { number: 1, previous: null, next: null, count: 0, films: [] },
  '/posters/': pictures,
  '/screening-schedule/': pictures,
  '/daily-events/': pictures,
  '/kottaka-magazines/': hardTexts.map((name, id) => ({
    id,
    name,
    Vol: id % 2 ? null : hard(id),
    issue: id % 3 ? '' : '4',
    image: null,
    image_alt: null,
    magazine: id % 2 ? image : null,
  })),
  '/blogs/': blogs,
  '/blog/3/': blogs[3],
  '/venues/': hardTexts.map((name, id) => ({
    id,
    name,
    place: null,
    description: hard(id),
    image: id % 2 ? image : null,
    image_alt: null,
    map_url: id % 2 ? image : null,
  })),
  '/guests/': hardTexts.map((name, id) => ({
    id,
    name,
    role: id % 2 ? null : name,
    portrait: id % 2 ? image : null,
    portrait_alt: id % 3 ? name : null,
  })),
  '/partners/': hardTexts.map((name, id) => ({
    id,
    name,
    kind: null,
    logo: id % 2 ? image : null,
    logo_alt: id % 3 ? name : null,
    href: id % 2 ? null : image,
  })),
  '/organisers/': hardTexts.map((name, id) => ({ id, name, role: name, logo: null, logo_alt: null, href: '' })),
  '/namesakes/': hardTexts.map((name, id) => ({
    id,
    name,
    slug: `n-${id}`,
    award: id % 2 ? null : name,
    life: name,
    biography: `<p>${id}</p>`,
    portrait: null,
    portrait_alt: null,
  })),
  '/awards/': hardTexts.map((name, id) => ({
    id,
    name,
    amount: 100000,
    amount_text: '₹1,00,000',
    description: id % 2 ? null : name,
  })),
  '/team/': hardTexts.map((group, id) => ({
    group,
    members: id % 2 ? [] : [{ id, name: hard(id + 1), note: null, portrait: null, portrait_alt: null }],
  })),
  '/sessions/isff-2025/': sessionDays,
  '/sessions/ifff-9th/': [],
  '/sessions/ndsf-2025/': sessionDays,
  '/packages/isff-2025/': hardTexts.map((title, id) => ({
    id,
    title,
    description: id % 2 ? null : title,
    films: id % 2 ? [] : [hard(id), hard(id + 1)],
    extent_text: id % 3 ? '11 films' : null,
    image: id % 2 ? image : null,
    image_alt: id % 3 ? title : null,
  })),
  '/history/': hardTexts.map((text, id) => ({
    id,
    year: 2004 + id,
    edition: text,
    dates: null,
    venue: '',
    director: text,
    chair: null,
  })),
  '/winners/': hardTexts.map((award, id) => ({
    award,
    winners: id % 2 ? [] : [{ id, film: null, person: hard(id), citation: '', image: null, image_alt: null }],
  })),
  '/selections/': [
    {
      id: 1,
      name: hard(1),
      count: 2,
      films: [
        { id: null, name: hard(4), director: null },
        { id: 5, name: hard(0), director: hard(3) },
      ],
    },
  ],
  '/programme/': programme,
  '/programme/today/': { day: '2025-10-25' },
  ...Object.fromEntries(slugs.map((slug, index) => [`/pages/${slug}/`, page(slug, index + 1)])),
};

/** The same paths, every list empty. */
export const emptyData: Record<string, unknown> = Object.fromEntries(
  Object.entries(hardData).map(([key, value]) => [key, Array.isArray(value) ? [] : value]),
);
