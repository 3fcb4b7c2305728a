import type { Toy, ToysFacts } from '@/shared/api/generated/toys';
import { hard, hardTexts, image } from '@/test/hard-texts';

/** What the toys add to the facts of the site. */
export const facts: ToysFacts = { toy_wish: hard(4) };

const toys: Toy[] = hardTexts.map((name, id) => ({ id, name, image: id % 2 ? image : null }));

/** What the API answers to pages of the toys, with data that break careless pages. */
export const hardData: Record<string, unknown> = { '/toys/': toys };
