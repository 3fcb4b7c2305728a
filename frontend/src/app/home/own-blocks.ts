import type { HomeBlock } from '@/shared/feature';
import { Hero } from './hero';
import { Marquee } from './marquee';

/** The blocks that need only the site itself. */
export const own: HomeBlock[] = [
  { order: 10, Block: Hero },
  { order: 30, Block: Marquee },
];
