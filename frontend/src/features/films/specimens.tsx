import styles from '@/styleguide/guide.module.css';
import { bareFilm, film, sampleText } from '@/styleguide/samples';
import { Opens, type Specimen } from '@/styleguide/specimen';
import { FilmCard } from './components/film-card';
import { FilmDetail } from './components/film-detail';
import { FilmIndex } from './components/film-index';
import { FilmOverlay } from './components/film-overlay';
import { TitlePoster } from './components/film-poster';
import { ViewSwitch } from './components/view-switch';

/** Films: cards, posters, lists, overlays. */
export const specimens: Specimen[] = [
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
];
