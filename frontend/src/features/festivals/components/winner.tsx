import type { WinnerGroup } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import styles from './winner.module.css';

/** A film or person that won an award. */
export function Winner({ winner }: { winner: WinnerGroup['winners'][number] }) {
  return (
    <article className={styles.winner}>
      {winner.image && <Picture src={winner.image} alt={winner.image_alt ?? ''} shape="still" sizes="column" />}
      {winner.film && (
        <h3 className={styles.film} lang={langOf(winner.film)}>
          {winner.film}
        </h3>
      )}
      {winner.person && <p lang={langOf(winner.person)}>{winner.person}</p>}
      {winner.citation && (
        <p className={styles.citation} lang={langOf(winner.citation)}>
          {winner.citation}
        </p>
      )}
    </article>
  );
}
