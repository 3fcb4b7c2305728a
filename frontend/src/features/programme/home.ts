import type { HomeBlock } from '@/shared/feature';
import { ProgrammeCall } from './components/programme-call';

/** Blocks of the programme on the home page. */
export const blocks: HomeBlock[] = [{ order: 20, within: 'hero', Block: ProgrammeCall }];
