import type { HomeBlock } from '@/shared/feature';
import { ToyShelf } from './components/toy-shelf';

/** The toys' blocks of the home page. */
export const blocks: HomeBlock[] = [{ order: 170, Block: ToyShelf }];
