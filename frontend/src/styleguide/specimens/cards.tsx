import { BlogCard } from '@/features/content/components/blog-card';
import { Documents } from '@/features/festivals/components/documents';
import { EventCard } from '@/features/festivals/components/event-card';
import { NamesakeLife } from '@/features/festivals/components/namesake-life';
import { NextTeaser } from '@/features/festivals/components/next-up';
import { PackageList } from '@/features/festivals/components/packages';
import { PictureTile } from '@/features/festivals/components/picture-tile';
import { Days } from '@/features/festivals/components/programme';
import { Winner } from '@/features/festivals/components/winner';
import { FilmCard } from '@/features/films/components/film-card';
import { FilmDetail } from '@/features/films/components/film-detail';
import { FilmIndex } from '@/features/films/components/film-index';
import { FilmOverlay } from '@/features/films/components/film-overlay';
import { TitlePoster } from '@/features/films/components/film-poster';
import { ViewSwitch } from '@/features/films/components/view-switch';
import { Issue } from '@/features/magazines/components/issue';
import type { Picture } from '@/shared/api';
import { JumpBar } from '@/shared/ui/jump-bar';
import styles from '../guide.module.css';
import {
  bareFilm,
  blog,
  day,
  event,
  film,
  issue,
  namesake,
  next,
  packages,
  pictures,
  sampleText,
  winner,
} from '../samples';
import type { Specimen } from '../specimen';
import { Opens } from '../specimen';

/** The cards of the features: films, people, texts. */
export const cards: Specimen[] = [
  {
    name: 'FilmCard',
    of: FilmCard,
    file: 'features/films/components/film-card.tsx',
    states: {
      full: () => <FilmCard film={film} onOpen={() => {}} />,
      'no poster, a long title': () => <FilmCard film={bareFilm} onOpen={() => {}} />,
    },
  },
  {
    name: 'TitlePoster',
    of: TitlePoster,
    file: 'features/films/components/film-poster.tsx',
    on: ['night'],
    wide: true,
    states: {
      'six sections': () => (
        <div className={styles.row}>
          {[0, 1, 2, 3, 4, 5].map((category_id) => (
            <TitlePoster
              key={category_id}
              film={{ name: sampleText.usual, original_title: sampleText.malayalam, category_id }}
            />
          ))}
        </div>
      ),
      'every length': () => (
        <div className={styles.row}>
          {['If', 'Desire', 'Out of Love', sampleText.long, sampleText.unbroken, sampleText.longMalayalam].map(
            (name) => (
              <TitlePoster key={name} film={{ name, original_title: null, category_id: 0 }} />
            ),
          )}
        </div>
      ),
      'every script': () => (
        <div className={styles.row}>
          {sampleText.scripts.map((name, category_id) => (
            <TitlePoster key={name} film={{ name, original_title: null, category_id }} />
          ))}
        </div>
      ),
    },
  },
  {
    name: 'JumpBar',
    of: JumpBar,
    file: 'shared/ui/jump-bar.tsx',
    on: ['night'],
    wide: true,
    states: {
      sections: () => (
        <JumpBar
          label="Sections"
          places={[sampleText.usual, sampleText.malayalam, sampleText.long].map((name, at) => ({
            id: ['JumpBar', 'Type', 'Malayalam'][at] ?? '',
            name,
            count: 7 * at,
          }))}
        />
      ),
    },
  },
  {
    name: 'ViewSwitch',
    of: ViewSwitch,
    file: 'features/films/components/view-switch.tsx',
    on: ['night'],
    states: {
      posters: () => <ViewSwitch category="1" view="posters" count={87} />,
      'A to Z': () => <ViewSwitch category="1" view="index" count={87} />,
    },
  },
  {
    name: 'FilmIndex',
    of: FilmIndex,
    file: 'features/films/components/film-index.tsx',
    on: ['night'],
    wide: true,
    states: {
      'two letters': () => (
        <FilmIndex
          index={{
            id: 1,
            name: sampleText.usual,
            category_desc: null,
            count: 3,
            letters: [
              { letter: 'L', films: [film, { ...film, id: 2, name: sampleText.unbroken }] },
              { letter: 'ച', films: [bareFilm] },
            ],
          }}
          onOpen={() => {}}
        />
      ),
    },
  },
  {
    name: 'FilmDetail',
    of: FilmDetail,
    file: 'features/films/components/film-detail.tsx',
    wide: true,
    on: ['night'],
    states: {
      full: () => <FilmDetail film={film} />,
      'what is not known is not there': () => <FilmDetail film={bareFilm} />,
    },
  },
  {
    name: 'FilmOverlay',
    of: FilmOverlay,
    file: 'features/films/components/film-overlay.tsx',
    on: ['night'],
    states: {
      full: () => (
        <Opens name="The film on the films page">
          {(close) => <FilmOverlay film={film} kind="full" onClose={close} />}
        </Opens>
      ),
      window: () => (
        <Opens name="The film on its category's page">
          {(close) => <FilmOverlay film={bareFilm} kind="window" onClose={close} />}
        </Opens>
      ),
    },
  },
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
    name: 'BlogCard',
    of: BlogCard,
    file: 'features/content/components/blog-card.tsx',
    states: {
      full: () => <BlogCard blog={blog} />,
      'no picture, in Malayalam': () => (
        <BlogCard
          blog={{
            ...blog,
            title: sampleText.longMalayalam,
            excerpt: Array(9).fill(sampleText.longMalayalam).join(' '),
            image: null,
          }}
        />
      ),
    },
  },
  {
    name: 'Issue',
    of: Issue,
    file: 'features/magazines/components/issue.tsx',
    states: {
      full: () => <Issue magazine={issue} />,
      'no cover, no file': () => <Issue magazine={{ ...issue, name: sampleText.mixed, image: null, magazine: null }} />,
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
