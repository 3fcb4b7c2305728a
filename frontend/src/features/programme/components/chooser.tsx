import { useState } from 'react';
import type { Programme } from '@/shared/api';
import { scriptOf } from '@/shared/lang';
import { useNavigate, useNavigationType } from '@/shared/router';
import { type Choice, distinct, programmePath, quickFilters, TIMES } from '../model/filter';
import styles from './chooser.module.css';

/** Search and filters: a form that works without scripts, and immediately with them. */
export function Chooser({ programme, choice }: { programme: Programme; choice: Choice }) {
  const navigate = useNavigate();
  const kind = useNavigationType();
  const [typed, setTyped] = useState(choice.q);
  const [last, setLast] = useState(choice.q);
  // Back and Forward restore the search text.
  if (choice.q !== last) {
    setLast(choice.q);
    if (kind === 'POP') setTyped(choice.q);
  }
  const choose = (other: Partial<Choice>) => navigate(programmePath(choice, other), { replace: true });
  const { films, halls, screenings } = programme;
  const sections = new Map(films.map(({ section }) => [String(section.id), section.name]));
  const languages = [
    ...films.flatMap((film) => film.languages),
    ...screenings.flatMap(({ language }) => language ?? []),
  ];
  const selects: { name: keyof Choice; label: string; all: string; options: (readonly [string, string])[] }[] = [
    { name: 'section', label: 'Section', all: 'All sections', options: [...sections] },
    { name: 'language', label: 'Language', all: 'All languages', options: pairs(languages) },
    {
      name: 'subtitles',
      label: 'Subtitles',
      all: 'With or without',
      options: pairs(screenings.flatMap(({ subtitles }) => subtitles ?? [])),
    },
    {
      name: 'country',
      label: 'Country',
      all: 'All countries',
      options: pairs(films.flatMap((film) => film.countries)),
    },
    {
      name: 'hall',
      label: 'Hall',
      all: 'All halls',
      options: halls.map(({ id, name }) => [String(id), name] as const),
    },
    {
      name: 'near',
      label: 'Near',
      all: 'Anywhere',
      options: halls.map(({ id, name }) => [String(id), name] as const),
    },
    { name: 'time', label: 'Time of day', all: 'All day', options: TIMES.map(([key, name]) => [key, name] as const) },
    { name: 'guests', label: 'Guests', all: 'With or without', options: [['1', 'With guests']] },
  ];
  return (
    <search>
      <form action="/programme" method="get" className={styles.form} onSubmit={(event) => event.preventDefault()}>
        {choice.day && <input type="hidden" name="day" value={choice.day} />}
        <label className={styles.search}>
          <span>Search films, people, countries, halls</span>
          <input
            type="search"
            name="q"
            value={typed}
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => {
              setTyped(target.value);
              choose({ q: target.value });
            }}
          />
        </label>
        <ul className={styles.quick} aria-label="Quick filters">
          {quickFilters(programme).map(({ name, value, label }) => {
            const isSet = choice[name] === value;
            return (
              <li key={label}>
                <a
                  href={programmePath(choice, { [name]: isSet ? '' : value })}
                  aria-current={isSet || undefined}
                  {...scriptOf(label)}
                >
                  {label}
                  {isSet && <span aria-hidden="true"> ×</span>}
                </a>
              </li>
            );
          })}
        </ul>
        <details className={styles.more} open={selects.some(({ name }) => choice[name] !== '') || undefined}>
          <summary>Filters</summary>
          <div className={styles.selects}>
            {selects.map(({ name, label, all, options }) => (
              <label key={name}>
                <span>{label}</span>
                <select name={name} value={choice[name]} onChange={({ target }) => choose({ [name]: target.value })}>
                  <option value="">{all}</option>
                  {options.map(([value, text]) => (
                    <option key={value} value={value}>
                      {text}
                    </option>
                  ))}
                </select>
              </label>
            ))}
          </div>
        </details>
        <noscript>
          <button type="submit">Search</button>
        </noscript>
      </form>
    </search>
  );
}

function pairs(values: string[]) {
  return distinct(values).map((value) => [value, value] as const);
}
