import type { Toy, ToysFacts } from '@/shared/api/generated/api';
import { hard, hardTexts, image } from '@/test/hard-texts';

/** The toys' part of the site's facts. */
export const facts: ToysFacts = { toy_wish: hard(4) };

const toys: Toy[] = hardTexts.map((name, id) => ({ id, name, image: id % 2 ? image : null }));

/** API responses for pages of the toys, with data that break careless pages. */
export const hardData: Record<string, unknown> = { '/toys/': toys };
