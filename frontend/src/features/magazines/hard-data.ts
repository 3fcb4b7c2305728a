import { hard, hardTexts, image } from '@/test/hard-texts';

/** API responses for the pages of the magazine, with data that break careless pages. */
export const hardData: Record<string, unknown> = {
  '/kottaka-magazines/': hardTexts.map((name, id) => ({
    id,
    name,
    Vol: id % 2 ? null : hard(id),
    issue: id % 3 ? '' : '4',
    image: null,
    image_alt: null,
    magazine: id % 2 ? image : null,
  })),
};
