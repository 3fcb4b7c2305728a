import { type Programme, useApi } from '@/shared/api';
import { scriptOf } from '@/shared/lang';
import { useNow } from '../model/now';
import { clockOf, dayName, isOver, screeningPath } from '../model/times';
import styles from './film-screenings.module.css';
import { Marks, StarButton } from './timetable';

/** A film's screenings, in its details. */
export default function FilmScreenings({ id }: { id: number }) {
  const { data } = useApi<Programme>(`/programme/?film=${id}`, { later: true });
  const now = useNow();
  const screenings = data?.screenings.filter(({ films }) => films.includes(id)) ?? [];
  if (!data || screenings.length === 0) return null;
  return (
    <section aria-labelledby="film-screenings" className={styles.screenings}>
      <h3 id="film-screenings">Screenings</h3>
      <ul>
        {screenings.map((screening) => {
          const hall = data.halls.find(({ id }) => id === screening.hall);
          return (
            <li
              key={screening.id}
              className={styles.screening}
              data-cancelled={screening.cancelled || undefined}
              data-over={(now !== null && isOver(screening, now)) || undefined}
            >
              <div>
                <p className={styles.what}>
                  <a href={screeningPath(screening)} className={styles.time}>
                    <time dateTime={screening.starts_at}>
                      {dayName(screening.day)}, {clockOf(screening.starts_at)}
                    </time>
                  </a>
                  {hall && <span {...scriptOf(hall.name)}>{hall.name}</span>}
                </p>
                <Marks screening={screening} programme={data} />
                {screening.audience === 'delegates' && <p className={styles.marks}>Delegates only</p>}
              </div>
              <StarButton screening={screening} />
            </li>
          );
        })}
      </ul>
      <a href="/programme" className={styles.all}>
        The whole programme
      </a>
    </section>
  );
}
