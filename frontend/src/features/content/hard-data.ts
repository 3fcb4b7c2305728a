import type { Blog } from '@/shared/api';
import { hardTexts } from '@/test/hard-texts';

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

/** API responses for the pages of texts, with data that break careless pages. */
export const hardData: Record<string, unknown> = {
  '/blogs/': blogs,
  '/blog/3/': blogs[3],
};
