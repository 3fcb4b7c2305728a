import type { HomeBlock } from '@/shared/feature';
import { ToyShelf } from './components/toy-shelf';

/** What the toys show on the home page. */
export const blocks: HomeBlock[] = [{ order: 170, Block: ToyShelf }];
