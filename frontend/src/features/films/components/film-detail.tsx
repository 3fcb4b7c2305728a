import type { Film } from '@/shared/api';
import { BesideFilm } from '@/shared/beside-film';
import { scriptOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import styles from './film-detail.module.css';
import { FilmPoster } from './film-poster';
import { GrowingPoster } from './growing-poster';

/** Everything about one film. */
export function FilmDetail({ film }: { film: Film }) {
  return (
    <article className={styles.detail} data-background>
      <header className={styles.head}>
        <h2 {...scriptOf(film.name)}>{film.name}</h2>
        {film.original_title && (
          <p className={styles.original} {...scriptOf(film.original_title)}>
            {film.original_title}
          </p>
        )}
        <ul className={styles.facts}>
          <Fact value={film.year} />
          <Fact value={film.country} />
          <Fact value={film.language} />
          <Fact value={film.subtitle_language && `Subtitles: ${film.subtitle_language}`} />
          <Fact value={film.duration_text} />
        </ul>
      </header>
      <GrowingPoster film={film} className={styles.poster}>
        <FilmPoster film={film} sizes="detail" alt={`Poster of ${film.name}`} eager />
        {film.poster ? null : <p className={styles.missing}>No Poster</p>}
      </GrowingPoster>
      <div className={styles.text}>
        <table className={styles.table}>
          <tbody>
            <Row name="Director" value={film.director_name} />
            <Row name="Writer" value={film.writer_name} />
            <Row name="Producer" value={film.producer_name} />
            <Row name="Cast" value={film.cast_details} />
            <Row name="Crew" value={film.crew_details} />
            <Row name="Synopsis" value={film.synopsis} />
          </tbody>
        </table>
        <BesideFilm id={film.id} />
      </div>
      {(film.still_one || film.still_two) && <Stills film={film} />}
    </article>
  );
}

function Fact({ value }: { value: string | number | null }) {
  return value ? <li>{value}</li> : null;
}

function Row({ name, value }: { name: string; value: string | null }) {
  return (
    value && (
      <tr>
        <th scope="row">{name}</th>
        <td {...scriptOf(value)}>{value}</td>
      </tr>
    )
  );
}

function Stills({ film }: { film: Film }) {
  return (
    <section className={styles.stills}>
      <h3>Stills</h3>
      <div className={styles.pictures}>
        {film.still_one && (
          <Picture
            src={film.still_one}
            alt={film.still_one_alt || `Still of ${film.name}`}
            shape="still"
            sizes="half"
          />
        )}
        {film.still_two && (
          <Picture
            src={film.still_two}
            alt={film.still_two_alt || `Second still of ${film.name}`}
            shape="still"
            sizes="half"
          />
        )}
      </div>
    </section>
  );
}
