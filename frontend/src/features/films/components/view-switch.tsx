import styles from './view-switch.module.css';

interface ViewSwitchProps {
  category: string;
  view: 'posters' | 'index';
  count: number;
}

/** Fewer films than this can be taken in at a glance. */
const LONG = 9;

/** How many films a category has, and the two ways of looking at them. */
export function ViewSwitch({ category, view, count }: ViewSwitchProps) {
  if (count < LONG) return null;
  const link = (to: ViewSwitchProps['view'], href: string, name: string) => (
    <a href={href} className={styles.link} aria-current={view === to ? 'page' : undefined}>
      {name}
    </a>
  );
  return (
    <nav className={styles.views} aria-label="View">
      <p className={styles.count}>{count} films</p>
      {link('posters', `/films/${category}`, 'Posters')}
      {link('index', `/films/${category}/a-z`, 'A–Z')}
    </nav>
  );
}
