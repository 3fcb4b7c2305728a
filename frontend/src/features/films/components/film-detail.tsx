import type { Film } from '@/shared/api';
import { langOf, When } from '@/shared/template';
import { altOf, Picture } from '@/shared/ui/picture';
import styles from './film-detail.module.css';

/** Everything about one film. */
export function FilmDetail({ film }: { film: Film }) {
  return (
    <article className={styles.detail} data-background>
      <header className={styles.head}>
        <h2 lang={langOf(film.name)}>{film.name}</h2>
        <When value={film.original_title}>
          {(title) => (
            <p className={styles.original} lang={langOf(title)}>
              {title}
            </p>
          )}
        </When>
        <ul className={styles.facts}>
          <Fact value={film.year} />
          <Fact value={film.country} />
          <Fact value={film.language} />
          <Fact value={film.duration_text} />
        </ul>
      </header>
      <div className={styles.poster}>
        <Picture
          src={film.poster}
          alt={altOf(film, 'poster', `Poster of ${film.name}`)}
          shape="poster"
          across="half"
          missing="No Poster"
        />
      </div>
      <div className={styles.words}>
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
      </div>
      <When
        value={film.still_one}
        otherwise={
          <When value={film.still_two}>
            <Stills film={film} />
          </When>
        }
      >
        <Stills film={film} />
      </When>
    </article>
  );
}

function Fact({ value }: { value: string | number | null }) {
  return <When value={value}>{(value) => <li>{value}</li>}</When>;
}

function Row({ name, value }: { name: string; value: string | null }) {
  return (
    <When value={value}>
      {(value) => (
        <tr>
          <th scope="row">{name}</th>
          <td lang={langOf(value)}>{value}</td>
        </tr>
      )}
    </When>
  );
}

function Stills({ film }: { film: Film }) {
  return (
    <section className={styles.stills}>
      <h3>Stills</h3>
      <div className={styles.pictures}>
        <When value={film.still_one}>
          {(still) => (
            <Picture src={still} alt={altOf(film, 'still_one', `Still of ${film.name}`)} shape="still" across="half" />
          )}
        </When>
        <When value={film.still_two}>
          {(still) => (
            <Picture
              src={still}
              alt={altOf(film, 'still_two', `Second still of ${film.name}`)}
              shape="still"
              across="half"
            />
          )}
        </When>
      </div>
    </section>
  );
}
