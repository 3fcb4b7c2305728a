import type { Programme, ProgrammeFilm, Screening } from '@/shared/api';
import { dayNames, hourName, hourOf } from '../times';
import styles from './day-timetable.module.css';
import { ScreeningItem } from './screening-item';

interface DayTimetableProps {
  day: string;
  programme: Programme;
  screenings: Screening[];
  films: Map<number, ProgrammeFilm>;
  starred: ReadonlySet<number>;
  clashing: ReadonlySet<number>;
  onStar?: (id: number) => void;
}

/**
 * A festival day: hours by halls in wide windows, one after the other in narrow ones. It is one table, which narrow windows show as
 * a list.
 */
export function DayTimetable({ day, programme, screenings, films, starred, clashing, onStar }: DayTimetableProps) {
  const { weekday, date } = dayNames(day);
  const halls = programme.halls.filter((hall) => screenings.some((screening) => screening.hall === hall.id));
  const hours = [...new Set(screenings.map((screening) => hourOf(day, screening.starts_at)))].sort((a, b) => a - b);
  return (
    <section id={`day-${day}`} className={styles.day} aria-labelledby={`name-${day}`}>
      <h2 id={`name-${day}`} className={styles.name}>
        {weekday} <span className={styles.date}>{date}</span>
      </h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <span data-unseen>Hour</span>
            </th>
            {halls.map((hall) => (
              <th key={hall.id} scope="col">
                {hall.map_link ? <a href={hall.map_link}>{hall.name}</a> : hall.name}
                {hall.venue && hall.venue !== hall.name ? <small>{hall.venue}</small> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((hour) => (
            <tr key={hour}>
              <th scope="row">{hourName(hour)}</th>
              {halls.map((hall) => (
                <td key={hall.id}>
                  {screenings
                    .filter((it) => it.hall === hall.id && hourOf(day, it.starts_at) === hour)
                    .map((screening) => (
                      <ScreeningItem
                        key={screening.id}
                        screening={screening}
                        programme={programme}
                        films={films}
                        starred={starred.has(screening.id)}
                        clashing={clashing.has(screening.id)}
                        onStar={onStar}
                      />
                    ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.calendar}>
        <a href={`/programme/${day}.ics`}>{weekday} for your calendar</a>
      </p>
    </section>
  );
}
