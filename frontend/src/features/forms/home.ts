import type { HomeBlock } from '@/shared/feature';
import { DelegateCall } from './components/delegate-call';

/** What the forms show on the home page. */
export const blocks: HomeBlock[] = [{ order: 80, Block: DelegateCall }];
