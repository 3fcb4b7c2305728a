import type { UpcomingEvent } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import styles from './event-card.module.css';

/** One upcoming event. */
export function EventCard({ event }: { event: UpcomingEvent }) {
  return (
    <article className={styles.card}>
      <Picture src={event.image} alt={event.image_alt ?? ''} shape="still" across="column" />
      <h3 className={styles.name} lang={langOf(event.event)}>
        {event.event}
      </h3>
      <time dateTime={event.event_datetime} className={styles.when}>
        {event.event_datetime_text}
      </time>
      <p className={styles.where} lang={langOf(event.location)}>
        {event.location}
      </p>
      <a
        href={`/upcoming-events/${event.id}.ics`}
        className={styles.keep}
        aria-label={`Add to calendar: ${event.event}`}
      >
        Add to calendar
      </a>
    </article>
  );
}
