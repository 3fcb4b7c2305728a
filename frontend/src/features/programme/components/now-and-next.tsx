import type { Programme, Screening } from '@/shared/api';
import { scriptOf } from '@/shared/lang';
import { nowAndNext } from '../model/now';
import { clockOf, screeningPath } from '../model/times';
import styles from './now-and-next.module.css';

/**
 * What runs now and what begins soon, by hall. The server's HTML reserves the space; only the browser knows the time.
 */
export function NowAndNext({ programme, now }: { programme: Programme; now: number | null }) {
  const halls = now === null ? null : nowAndNext(programme, now);
  return (
    <section className={styles.now} aria-labelledby="now-title">
      <h2 id="now-title" className={styles.heading}>
        Now and next
      </h2>
      {halls?.length === 0 && <p className={styles.room}>Nothing begins within the next 90 minutes.</p>}
      <ul className={`${styles.room} ${styles.halls}`} hidden={halls?.length === 0}>
        {halls?.map(({ hall, now, next }) => (
          <li key={hall.id} className={styles.hall}>
            <h3 className={styles.name} {...scriptOf(hall.name)}>
              {hall.name}
            </h3>
            {now.map((screening) => (
              <Line key={screening.id} screening={screening} when={`Now, to ${clockOf(screening.ends_at)}`} />
            ))}
            {next.map((screening) => (
              <Line key={screening.id} screening={screening} when={clockOf(screening.starts_at)} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Line({ screening, when }: { screening: Screening; when: string }) {
  return (
    <p className={styles.line}>
      <span className={styles.when}>{when}</span>{' '}
      <a href={screeningPath(screening)} {...scriptOf(screening.title)}>
        {screening.title}
      </a>
    </p>
  );
}
