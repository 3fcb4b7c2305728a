import type { Programme, Screening } from '@/shared/api';
import { scriptOf } from '@/shared/lang';
import { nowAndNext } from '../model/now';
import { clockOf, screeningPath, whenOf } from '../model/times';
import styles from './now-and-next.module.css';

interface NowAndNextProps {
  programme: Programme;
  /** Milliseconds. */
  now: number;
  /** The festival day that it is. */
  today: string;
}

/** What runs now, and what begins next, on this day or a later one. */
export function NowAndNext({ programme, now, today }: NowAndNextProps) {
  const { running, next } = nowAndNext(programme, now);
  if (running.length + next.length === 0) return null;
  const lines = (screenings: Screening[], whenText: (screening: Screening) => string) => (
    <ul className={styles.lines}>
      {screenings.map((screening) => (
        <li key={screening.id} className={styles.line}>
          <a href={screeningPath(screening)} {...scriptOf(screening.title)}>
            {screening.title}
          </a>
          <Where programme={programme} screening={screening} when={whenText(screening)} />
        </li>
      ))}
    </ul>
  );
  return (
    <section className={styles.now} aria-labelledby="now-title">
      <h2 id="now-title" data-unseen="">
        Now and next
      </h2>
      {running.length > 0 && (
        <div>
          <h3 className={styles.heading}>Now</h3>
          {lines(running, ({ ends_at }) => `to ${clockOf(ends_at)}`)}
        </div>
      )}
      {next.length > 0 && (
        <div>
          <h3 className={styles.heading}>Next</h3>
          {lines(next, (screening) => (screening.day === today ? clockOf(screening.starts_at) : whenOf(screening)))}
        </div>
      )}
    </section>
  );
}

function Where({ programme, screening, when }: { programme: Programme; screening: Screening; when: string }) {
  const hall = programme.halls.find(({ id }) => id === screening.hall)?.name ?? '';
  return (
    <p className={styles.where}>
      <strong>{when}</strong> <span {...scriptOf(hall)}>{hall}</span>
      {screening.audience === 'delegates' && ' · Delegates only'}
    </p>
  );
}
