import type { Film } from '@/shared/api';
import { langOf } from '@/shared/template';
import { altOf, Picture } from '@/shared/ui/picture';
import { filmPath } from '../open-film';
import styles from './film-card.module.css';

interface FilmCardProps {
  film: Film;
  onOpen: (film: Film) => void;
  /** How wide its poster stands. */
  across?: 'films' | 'column';
}

/** A film in a list: poster, title, director. Without JavaScript the link leads to the film's own address. */
export function FilmCard({ film, onOpen, across }: FilmCardProps) {
  return (
    <a
      href={filmPath(film)}
      className={styles.card}
      data-across={across}
      aria-haspopup="dialog"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen(film);
      }}
    >
      <Picture src={film.poster} alt={altOf(film, 'poster')} shape="poster" across={across} missing="No Poster" />
      <span className={styles.name} lang={langOf(film.name)}>
        {film.name}
      </span>
      <span className={styles.director} lang={langOf(film.director_name)}>
        {film.director_name}
      </span>
    </a>
  );
}
