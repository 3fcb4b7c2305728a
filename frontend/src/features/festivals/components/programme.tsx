import { type SessionDay, useApi } from '@/shared/api';
import styles from './programme.module.css';

/** What happens at a sister festival, day by day; nothing while there are no sessions. */
export function Programme({ of: festival }: { of: string }) {
  const days = useApi<SessionDay[]>(`/sessions/${festival}/`);
  if (days.status !== 'loaded') return null;
  return (
    <section className={styles.programme} aria-labelledby="programme-title">
      <h2 id="programme-title" className={styles.title}>
        Schedule
      </h2>
      <Days days={days.data} />
    </section>
  );
}

/** The days with their sessions. */
export function Days({ days }: { days: SessionDay[] }) {
  return days.map((day) => (
    <section key={day.day} className={styles.day}>
      <h3 className={styles.date}>
        <DayText of={day} />
      </h3>
      <ol>
        {day.sessions.map((session) => (
          <Session key={session.id} session={session} />
        ))}
      </ol>
    </section>
  ));
}

/** "Saturday 10 April 2027", which may break only after the weekday. */
function DayText({ of: { day, day_text } }: { of: SessionDay }) {
  const [weekday, date] = day_text.split(/ (.*)/);
  return (
    <time dateTime={day}>
      {weekday} <span>{date}</span>
    </time>
  );
}

function Session({ session }: { session: SessionDay['sessions'][number] }) {
  return (
    <li className={styles.session}>
      <p className={styles.hours}>
        <time dateTime={session.starts_at}>{session.starts_at_text}</time>
        {session.ends_at && (
          <>
            {' '}
            to <time dateTime={session.ends_at}>{session.ends_at_text}</time>
          </>
        )}
      </p>
      <div>
        <p className={styles.kind}>{session.kind_text}</p>
        <h4 className={styles.name}>{session.title}</h4>
        {session.person && <p>{session.person}</p>}
        {session.description && <p className={styles.text}>{session.description}</p>}
      </div>
      {session.place && <p className={styles.venue}>{session.place}</p>}
    </li>
  );
}
