import type { HomeBlock } from '@/shared/feature';
import { DelegateCall } from './components/delegate-call';

/** Blocks of the forms on the home page. */
export const blocks: HomeBlock[] = [{ order: 80, Block: DelegateCall }];
