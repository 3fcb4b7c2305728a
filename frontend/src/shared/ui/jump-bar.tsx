import { scriptOf } from '@/shared/lang';
import styles from './jump-bar.module.css';

interface JumpBarProps {
  /** Accessible name of the list of links. */
  label: string;
  places: { id: string; name: string; count?: number }[];
}

/** Links to the sections of a long page, in a row that stays in view. Not rendered for a single section. */
export function JumpBar({ label, places }: JumpBarProps) {
  if (places.length < 2) return null;
  return (
    <nav className={styles.bar} aria-label={label}>
      <ul className={styles.list}>
        {places.map(({ id, name, count }) => (
          <li key={id}>
            <a href={`#${id}`} className={styles.link}>
              <span {...scriptOf(name)}>{name}</span>
              {count === undefined ? null : <span className={styles.count}>{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
