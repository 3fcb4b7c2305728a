import type { Programme } from '@/shared/api';
import type { Choices } from '../search';
import styles from './programme-choices.module.css';

interface ProgrammeChoicesProps {
  programme: Programme;
  choices: Choices;
  found: number;
  starred: number;
  onChoose: (choices: Partial<Choices>) => void;
  onReset: () => void;
}

/** The search and what narrows the programme down. It works with scripts alone: without, the whole programme is there. */
export function ProgrammeChoices({ programme, choices, found, starred, onChoose, onReset }: ProgrammeChoicesProps) {
  const sections = new Map(programme.films.map((film) => [`${film.section.id}`, film.section.name]));
  const names = (of: (film: Programme['films'][number]) => string[]) => {
    const all = [...new Set(programme.films.flatMap(of))].sort();
    return all.map((name) => [name, name] as const);
  };
  const select = (
    name: 'section' | 'hall' | 'language' | 'country' | 'time',
    label: string,
    options: Iterable<readonly [string, string]>,
  ) => (
    <label className={styles.choice}>
      <span>{label}</span>
      <select value={choices[name]} onChange={(event) => onChoose({ [name]: event.target.value })}>
        <option value="">All</option>
        {[...options].map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  const narrowed = Object.values(choices).some(Boolean);
  return (
    <search className={styles.choices}>
      <label className={styles.search}>
        <span>Title, director, country, guest</span>
        <input type="search" value={choices.search} onChange={(event) => onChoose({ search: event.target.value })} />
      </label>
      <details className={styles.more}>
        <summary className={styles.summary}>Filters</summary>
        <div className={styles.fields}>
          {select('section', 'Section', sections)}
          {select(
            'hall',
            'Hall',
            programme.halls.map((hall) => [`${hall.id}`, hall.name] as const),
          )}
          {select(
            'language',
            'Language',
            names((film) => film.languages),
          )}
          {select(
            'country',
            'Country',
            names((film) => film.countries),
          )}
          {select('time', 'Time of day', [
            ['morning', 'Morning'],
            ['afternoon', 'Afternoon'],
            ['evening', 'Evening and night'],
          ])}
          <label className={styles.tick}>
            <input
              type="checkbox"
              checked={choices.guests}
              onChange={(event) => onChoose({ guests: event.target.checked })}
            />
            <span>With guests</span>
          </label>
        </div>
      </details>
      <label className={styles.tick}>
        <input
          type="checkbox"
          checked={choices.starred}
          onChange={(event) => onChoose({ starred: event.target.checked })}
        />
        <span>My stars ({starred})</span>
      </label>
      <p className={styles.result} role="status">
        {found === 1 ? '1 screening' : `${found} screenings`}
        {narrowed ? (
          <button type="button" className={styles.reset} onClick={onReset}>
            Show all
          </button>
        ) : null}
      </p>
    </search>
  );
}
