import type { Film } from '@/shared/api';
import { scriptOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import styles from './film-poster.module.css';
import { designOf } from './poster-design';

interface FilmPosterProps {
  film: Film;
  /** Width in the page, for `sizes`. */
  sizes: 'films' | 'grid' | 'detail';
  /** Alternative text of a picture that has none. */
  alt?: string;
  /** Whether it is in the first view. */
  eager?: boolean;
}

/** A film's poster: the picture, or its title drawn as one. */
export function FilmPoster({ film, sizes, alt = '', eager }: FilmPosterProps) {
  if (!film.poster) return <TitlePoster film={film} />;
  return <Picture src={film.poster} alt={film.poster_alt || alt} shape="poster" sizes={sizes} eager={eager} />;
}

type Titled = Pick<Film, 'name' | 'original_title' | 'category_id'>;

/**
 * The poster of a film that has none: its title in a beam of light, in the colours of its section. It is hidden from
 * screen readers, which read the title in the text next to it.
 */
export function TitlePoster({ film, className = '' }: { film: Titled; className?: string }) {
  const { tone, beam, variant, foot, size, other } = designOf(film);
  return (
    <span
      className={`${styles.poster} ${className}`}
      data-drawn=""
      data-tone={tone}
      data-beam={beam}
      data-variant={variant}
      aria-hidden="true"
    >
      <span className={styles.text} data-foot={foot || undefined}>
        <span className={styles.name} data-size={size} {...scriptOf(film.name)}>
          {film.name}
        </span>
        {other === null ? null : (
          <span className={styles.other} {...scriptOf(other)}>
            {other}
          </span>
        )}
      </span>
    </span>
  );
}
