import type { Site } from '@/shared/api';
import { hard, hardTexts, image } from './hard-texts';

/** A feature's `hard-data.ts`, for the tests of its pages. */
interface FeatureData {
  /** API responses by path. */
  hardData?: Record<string, unknown>;
  /** Its additions to the site's facts. */
  facts?: object;
}

/** The data of all features. */
const ofFeatures = Object.values(import.meta.glob<FeatureData>('../features/*/hard-data.ts', { eager: true }));
/** The folders of the features, which are named like their modules. */
const modules = Object.keys(import.meta.glob('../features/*/module.ts')).map((file) => file.split('/').at(-2));

/** The site's facts. */
export const site: Site = {
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
  modules: Object.fromEntries(modules.map((name) => [name, true])),
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
  documents: Object.fromEntries(
    ['/isff-2025', '/form-asian'].map((path, id) => [
      path,
      [{ key: 'd', label: hard(4), href: 'https://festival.test/a.pdf?x=1&y=2', size_text: id % 2 ? null : '1.2 MB' }],
    ]),
  ),
  analytics: { frame: '', link: null },
  logo: null,
  logo_name: null,
  ...Object.assign({}, ...ofFeatures.map(({ facts }) => facts)),
};

/** The pictures of a text. */
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

const slugs = ['home', 'about-us', 'privacy-and-terms', 'isff-2025', 'ifff-9th', 'ndsf-2025', 'submit-entry', 'twenty'];

/** Every API path that a page may request, with data that break careless pages. */
export const hardData: Record<string, unknown> = Object.assign(
  {
    '/site/': site,
    ...Object.fromEntries(slugs.map((slug, index) => [`/pages/${slug}/`, page(slug, index + 1)])),
  },
  ...ofFeatures.map(({ hardData }) => hardData),
);

/** The same paths, every list empty. */
export const emptyData: Record<string, unknown> = Object.fromEntries(
  Object.entries(hardData).map(([key, value]) => [key, Array.isArray(value) ? [] : value]),
);
