import type { HomeBlock } from '@/shared/feature';
import { Categories } from './components/categories';
import { Selections } from './components/selections';

/** Blocks of the films on the home page. */
export const blocks: HomeBlock[] = [
  { order: 40, Block: Selections },
  { order: 110, Block: Categories },
];
