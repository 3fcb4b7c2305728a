import type { Picture } from '@/shared/api';
import { day, event, namesake, next, packages, pictures, sampleText, winner } from '@/styleguide/samples';
import type { Specimen } from '@/styleguide/specimen';
import { Documents } from './components/documents';
import { EventCard } from './components/event-card';
import { NamesakeLife } from './components/namesake-life';
import { NextTeaser } from './components/next-up';
import { PackageList } from './components/packages';
import { PictureTile } from './components/picture-tile';
import { Days } from './components/programme';
import { Winner } from './components/winner';

/** The cards of events, people and awards, and the programmes of the sister festivals. */
export const specimens: Specimen[] = [
  {
    name: 'EventCard',
    of: EventCard,
    file: 'features/festivals/components/event-card.tsx',
    states: {
      full: () => <EventCard event={event} />,
      'no picture, long words': () => (
        <EventCard event={{ ...event, event: sampleText.longMalayalam, location: sampleText.unbroken, image: null }} />
      ),
    },
  },
  {
    name: 'NextTeaser',
    of: NextTeaser,
    file: 'features/festivals/components/next-up.tsx',
    states: {
      full: () => <NextTeaser item={next} />,
      'no page, no place, long words': () => (
        <NextTeaser item={{ ...next, title: sampleText.longMalayalam, href: null, place: null }} />
      ),
    },
  },
  {
    name: 'PictureTile',
    of: PictureTile,
    file: 'features/festivals/components/picture-tile.tsx',
    states: {
      square: () => <PictureTile tile={pictures[0] as Picture} shape="square" />,
      'portrait, a long title': () => <PictureTile tile={pictures[1] as Picture} shape="portrait" />,
      'no picture': () => <PictureTile tile={pictures[3] as Picture} shape="square" />,
    },
  },
  {
    name: 'NamesakeLife',
    of: NamesakeLife,
    file: 'features/festivals/components/namesake-life.tsx',
    wide: true,
    on: ['paper'],
    states: {
      full: () => <NamesakeLife namesake={namesake} />,
      'no portrait': () => (
        <NamesakeLife namesake={{ ...namesake, slug: 'another', name: sampleText.longMalayalam, portrait: null }} />
      ),
    },
  },
  {
    name: 'Winner',
    of: Winner,
    file: 'features/festivals/components/winner.tsx',
    on: ['paper'],
    wide: true,
    states: {
      film: () => <Winner winner={winner} />,
      'with a picture': () => <Winner winner={{ ...winner, image: event.image }} />,
      'a person alone': () => <Winner winner={{ ...winner, film: '', citation: '' }} />,
    },
  },
  {
    name: 'Documents',
    of: Documents,
    file: 'features/festivals/components/documents.tsx',
    on: ['paper'],
    states: { full: () => <Documents on="/form-asian" /> },
  },
  {
    name: 'Programme',
    of: Days,
    file: 'features/festivals/components/programme.tsx',
    on: ['paper'],
    wide: true,
    states: { 'a day: everything known, long words, a title alone': () => <Days days={[day]} /> },
  },
  {
    name: 'Packages',
    of: PackageList,
    file: 'features/festivals/components/packages.tsx',
    on: ['paper'],
    wide: true,
    states: { 'everything known, a title alone': () => <PackageList packages={packages} /> },
  },
];
