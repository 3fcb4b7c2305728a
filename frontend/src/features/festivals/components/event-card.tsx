import type { UpcomingEvent } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import styles from './event-card.module.css';

/** One upcoming event. */
export function EventCard({ event }: { event: UpcomingEvent }) {
  return (
    <article className={styles.card}>
      <Picture src={event.image} alt={event.image_alt ?? ''} shape="still" sizes="column" />
      <h3 className={styles.name} lang={langOf(event.event)}>
        {event.event}
      </h3>
      <time dateTime={event.event_datetime} className={styles.time}>
        {event.event_datetime_text}
      </time>
      <p className={styles.location} lang={langOf(event.location)}>
        {event.location}
      </p>
      <a
        href={`/upcoming-events/${event.id}.ics`}
        className={styles.save}
        aria-label={`Add to calendar: ${event.event}`}
      >
        Add to calendar
      </a>
    </article>
  );
}
