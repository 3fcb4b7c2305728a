import type { Film } from '@/shared/api';
import { scriptOf } from '@/shared/lang';
import { filmPath } from '../open-film';
import styles from './film-card.module.css';
import { FilmPoster } from './film-poster';

interface FilmCardProps {
  film: Film;
  onOpen: (film: Film) => void;
  /** Width of its poster, for `sizes`. */
  layout?: 'films' | 'grid';
  /** Whether it is in the first view. */
  eager?: boolean;
}

/**
 * A film in a list: poster, title, director, country and year. Without JavaScript the link leads to the film's own
 * address.
 */
export function FilmCard({ film, onOpen, layout = 'grid', eager }: FilmCardProps) {
  const origin = [film.country, film.year].filter(Boolean).join(', ');
  return (
    <a
      href={filmPath(film)}
      className={styles.card}
      data-layout={layout}
      aria-haspopup="dialog"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen(film);
      }}
    >
      <FilmPoster film={film} sizes={layout} eager={eager} />
      <span className={styles.name} {...scriptOf(film.name)}>
        {film.name}
      </span>
      {film.director_name ? (
        <span className={styles.director} {...scriptOf(film.director_name)}>
          {film.director_name}
        </span>
      ) : null}
      {origin ? (
        <span className={styles.origin} {...scriptOf(origin)}>
          {origin}
        </span>
      ) : null}
    </a>
  );
}
