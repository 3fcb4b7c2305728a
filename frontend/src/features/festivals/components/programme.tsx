import { Load, type SessionDay, useApi } from '@/shared/api';
import { Each, When } from '@/shared/template';
import styles from './programme.module.css';

/** What happens at a sister festival, day by day; nothing while there are no sessions. */
export function Programme({ of: festival }: { of: string }) {
  const days = useApi<SessionDay[]>(`/sessions/${festival}/`);
  return (
    <Load of={days}>
      {(days) => (
        <section className={styles.programme} aria-labelledby="programme-title">
          <h2 id="programme-title" className={styles.title}>
            Schedule
          </h2>
          <Days days={days} />
        </section>
      )}
    </Load>
  );
}

/** The days with their sessions. */
export function Days({ days }: { days: SessionDay[] }) {
  return (
    <Each of={days} as="day">
      {(day) => (
        <section className={styles.day}>
          <h3 className={styles.date}>
            <time dateTime={day.day}>{day.day_text}</time>
          </h3>
          <ol>
            <Each of={day.sessions} as="session">
              {(session) => <Session session={session} />}
            </Each>
          </ol>
        </section>
      )}
    </Each>
  );
}

function Session({ session }: { session: SessionDay['sessions'][number] }) {
  return (
    <li className={styles.session}>
      <p className={styles.hours}>
        <time dateTime={session.starts_at}>{session.starts_at_text}</time>
        <When value={session.ends_at_text}>
          {(end) => (
            <>
              {' '}
              to <time>{end}</time>
            </>
          )}
        </When>
      </p>
      <div className={styles.words}>
        <p className={styles.kind}>{session.kind_text}</p>
        <h4 className={styles.name}>{session.title}</h4>
        <When value={session.person}>{(person) => <p>{person}</p>}</When>
        <When value={session.description}>{(text) => <p className={styles.text}>{text}</p>}</When>
      </div>
      <When value={session.place}>{(place) => <p className={styles.place}>{place}</p>}</When>
    </li>
  );
}
