import { Load, type Selection, useApi } from '@/shared/api';
import { Each, langOf, When } from '@/shared/template';
import { Section } from '@/shared/ui/section';
import styles from './selections.module.css';

/** The competition's selection lists. */
export function Selections() {
  const selections = useApi<Selection[]>('/selections/');
  return (
    <Load of={selections}>
      {(selections) => (
        <Section id="selections" title="Competition selection" malayalam="തിരഞ്ഞെടുത്ത ചിത്രങ്ങൾ">
          <div className={styles.lists}>
            <Each of={selections} as="selection">
              {(selection) => (
                <section className={styles.list}>
                  <h3 className={styles.name} lang={langOf(selection.name)}>
                    {selection.name} <span className={styles.count}>{selection.count}</span>
                  </h3>
                  <ol>
                    <Each of={selection.films} as="film">
                      {(film) => (
                        <li className={styles.film}>
                          <When
                            value={film.id}
                            otherwise={
                              <span className={styles.title} lang={langOf(film.name)}>
                                {film.name}
                              </span>
                            }
                          >
                            {(id) => (
                              <a
                                href={`/films/${selection.id}?film=${id}`}
                                className={styles.title}
                                lang={langOf(film.name)}
                              >
                                {film.name}
                              </a>
                            )}
                          </When>
                          <When value={film.director}>
                            {(director) => (
                              <span className={styles.director} lang={langOf(director)}>
                                {director}
                              </span>
                            )}
                          </When>
                        </li>
                      )}
                    </Each>
                  </ol>
                </section>
              )}
            </Each>
          </div>
        </Section>
      )}
    </Load>
  );
}
