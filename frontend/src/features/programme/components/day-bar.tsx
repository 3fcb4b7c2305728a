import { dayNames } from '../times';
import styles from './day-bar.module.css';

/** The days of the festival in a row that stays in view: one step to each. */
export function DayBar({ days }: { days: string[] }) {
  return (
    <nav className={styles.bar} aria-label="Days">
      <ul className={styles.list}>
        {days.map((day) => {
          const { weekday, date } = dayNames(day);
          return (
            <li key={day}>
              <a href={`#day-${day}`} className={styles.link}>
                <b>{weekday.slice(0, 3)}</b> {date.replace(/ ([A-Z]..).*/, ' $1')}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
