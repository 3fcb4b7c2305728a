import type { HomeBlock } from '@/shared/feature';
import { DailyEvents } from './components/daily-events';
import { Guests } from './components/guests';
import { Namesakes } from './components/namesakes';
import { NextUp } from './components/next-up';
import { Posters } from './components/posters';
import { Schedule } from './components/schedule';
import { Organisers, Partners } from './components/supporters';
import { UpcomingEvents } from './components/upcoming-events';
import { VenueCarousel } from './components/venue-carousel';
import { VenueList } from './components/venue-list';

/** Blocks of the festival itself on the home page. */
export const blocks: HomeBlock[] = [
  { order: 10, within: 'hero', Block: NextUp },
  { order: 20, Block: Namesakes },
  { order: 50, Block: VenueList },
  { order: 60, Block: Organisers },
  { order: 70, Block: Partners },
  { order: 100, Block: UpcomingEvents },
  { order: 120, Block: Posters },
  { order: 130, Block: Schedule },
  { order: 140, Block: DailyEvents },
  { order: 150, Block: VenueCarousel },
  { order: 160, Block: Guests },
];
