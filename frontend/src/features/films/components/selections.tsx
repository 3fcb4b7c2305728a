import { useRef } from 'react';
import { type Selection, useApi } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { atWidth, Picture } from '@/shared/ui/picture';
import { Section } from '@/shared/ui/section';
import { useNear } from '@/shared/use-near';
import styles from './selections.module.css';

const titleOf = ({ films }: Selection, id: number) => films.find((film) => film.id === id)?.name ?? '';

/** The competition's selection lists, each with a still and the posters of its films. */
export function Selections() {
  const selections = useApi<Selection[]>('/selections/');
  const lists = useRef<HTMLDivElement>(null);
  // Browsers load lazy pictures from far away, which the first view would pay for.
  const near = useNear(lists, '300px');
  if (selections.status !== 'loaded') return null;
  return (
    <Section id="selections" title="Competition selection" malayalam="തിരഞ്ഞെടുത്ത ചിത്രങ്ങൾ">
      <div ref={lists} className={styles.lists}>
        {selections.data.map((selection) => (
          <section key={selection.id}>
            <h3 className={styles.name} lang={langOf(selection.name)}>
              {selection.name} <span className={styles.count}>{selection.count}</span>
            </h3>
            {selection.still && (
              <div className={styles.still}>
                {near && (
                  <Picture
                    src={selection.still.picture}
                    alt={selection.still.alt || `Still from ${titleOf(selection, selection.still.film)}`}
                    shape="still"
                    sizes="column"
                  />
                )}
              </div>
            )}
            <ol>
              {selection.films.map((film) => (
                <li key={`${film.id} ${film.name}`} className={styles.film}>
                  {film.poster && (
                    <span className={styles.poster}>
                      {near && (
                        <img
                          src={atWidth(film.poster, 240)}
                          alt=""
                          width={40}
                          height={60}
                          loading="lazy"
                          decoding="async"
                        />
                      )}
                    </span>
                  )}
                  {film.id ? (
                    <a
                      href={`/films/${selection.id}?film=${film.id}`}
                      className={styles.title}
                      lang={langOf(film.name)}
                    >
                      {film.name}
                    </a>
                  ) : (
                    <span className={styles.title} lang={langOf(film.name)}>
                      {film.name}
                    </span>
                  )}
                  {film.director && (
                    <span className={styles.director} lang={langOf(film.director)}>
                      {film.director}
                    </span>
                  )}
                </li>
              ))}
            </ol>
            {selection.count > selection.films.length && (
              <a href={`/films/${selection.id}`} className={styles.rest}>
                {`All ${selection.count} films`}
              </a>
            )}
          </section>
        ))}
      </div>
    </Section>
  );
}
