import type { FilmIndex as Index, IndexedFilm } from '@/shared/api';
import { scriptOf } from '@/shared/lang';
import { JumpBar } from '@/shared/ui/jump-bar';
import { filmPath } from '../open-film';
import styles from './film-index.module.css';

interface FilmIndexProps {
  index: Index;
  onOpen: (film: number) => void;
}

/** A category's films from A to Z, a line each. */
export function FilmIndex({ index, onOpen }: FilmIndexProps) {
  return (
    <>
      <JumpBar label="Letters" places={index.letters.map(({ letter }) => ({ id: placeOf(letter), name: letter }))} />
      {index.letters.map(({ letter, films }) => (
        <section
          key={letter}
          id={placeOf(letter)}
          className={styles.letter}
          aria-labelledby={`${placeOf(letter)}-name`}
        >
          <h2 id={`${placeOf(letter)}-name`} className={styles.name} {...scriptOf(letter)}>
            {letter}
          </h2>
          <ul>
            {films.map((film) => (
              <li key={film.id}>
                <Line film={film} category={index.id} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

interface LineProps {
  film: IndexedFilm;
  category: number;
  onOpen: (film: number) => void;
}

function Line({ film, category, onOpen }: LineProps) {
  const origin = [film.country, film.year].filter(Boolean).join(', ');
  return (
    <a
      href={filmPath({ id: film.id, category_id: category })}
      className={styles.film}
      aria-haspopup="dialog"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen(film.id);
      }}
    >
      <span className={styles.title} {...scriptOf(film.name)}>
        {film.name}
      </span>
      <span className={styles.facts}>
        {film.director_name ? <span {...scriptOf(film.director_name)}>{film.director_name}</span> : null}
        {origin ? <span className={styles.origin}>{origin}</span> : null}
      </span>
    </a>
  );
}

function placeOf(letter: string): string {
  return `letter-${letter}`;
}
