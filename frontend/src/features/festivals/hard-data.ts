import type { SessionDay } from '@/shared/api';
import { hard, hardTexts, image } from '@/test/hard-texts';

const pictures = hardTexts.map((title, id) => ({
  id,
  title: id % 2 ? null : title,
  image: id % 3 ? image : null,
  image_alt: id % 2 ? title : null,
}));

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

/** API responses for the pages of the festival, with data that break careless pages. */
export const hardData: Record<string, unknown> = {
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
  '/posters/': pictures,
  '/screening-schedule/': pictures,
  '/daily-events/': pictures,
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
};
