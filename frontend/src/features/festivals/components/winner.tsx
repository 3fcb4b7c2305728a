import type { WinnerGroup } from '@/shared/api';
import { langOf, When } from '@/shared/template';
import { altOf, Picture } from '@/shared/ui/picture';
import styles from './winner.module.css';

/** A film or person that won an award. */
export function Winner({ winner }: { winner: WinnerGroup['winners'][number] }) {
  return (
    <article className={styles.winner}>
      <When value={winner.image}>
        {(image) => <Picture src={image} alt={altOf(winner, 'image')} shape="still" across="column" />}
      </When>
      <When value={winner.film}>
        {(film) => (
          <h3 className={styles.film} lang={langOf(film)}>
            {film}
          </h3>
        )}
      </When>
      <When value={winner.person}>{(person) => <p lang={langOf(person)}>{person}</p>}</When>
      <When value={winner.citation}>
        {(citation) => (
          <p className={styles.citation} lang={langOf(citation)}>
            {citation}
          </p>
        )}
      </When>
    </article>
  );
}
