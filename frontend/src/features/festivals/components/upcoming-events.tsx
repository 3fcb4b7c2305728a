import { type UpcomingEvent, useApi } from '@/shared/api';
import { useRotation } from '@/shared/motion';
import { Button } from '@/shared/ui/page';
import { PauseButton } from '@/shared/ui/pause-button';
import { Section } from '@/shared/ui/section';
import { useHydrated } from '@/shared/use-hydrated';
import { EventCard } from './event-card';
import styles from './upcoming-events.module.css';

/** The strip of upcoming events; hidden where there are none. */
export function UpcomingEvents() {
  const events = useApi<UpcomingEvent[]>('/upcoming-events/');
  if (events.status !== 'loaded') return null;
  return (
    <Section id="upcoming-events" title="Upcoming Events" malayalam="വരാനിരിക്കുന്നവ" slant="left">
      <Strip events={events.data} />
      <p className={styles.all}>
        <Button href="/upcoming-events.ics" kind="quiet">
          All events in your calendar
        </Button>
      </p>
    </Section>
  );
}

function Strip({ events }: { events: UpcomingEvent[] }) {
  const hydrated = useHydrated();
  const rotation = useRotation(null, () => {});
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      role="group"
      aria-label="Upcoming Events"
      // If it can be scrolled by hand, the keyboard has to scroll it too.
      tabIndex={rotation.running ? undefined : 0}
      className={styles.strip}
      data-running={rotation.running || undefined}
      data-live={hydrated || undefined}
      {...rotation.host}
    >
      <ul className={styles.track}>
        {events.map((event) => (
          <li key={event.id} className={styles.slide}>
            <EventCard event={event} />
          </li>
        ))}
        {/* Repeated cards fill the strip and close the loop; they are hidden from screen readers. */}
        {hydrated
          ? repeats(events).map(({ key, event }) => (
              <li key={key} className={styles.slide} data-repeat="" aria-hidden="true" inert>
                <EventCard event={event} />
              </li>
            ))
          : null}
      </ul>
      <PauseButton rotation={rotation} label="Upcoming Events" />
    </div>
  );
}

/** A strip has at least this many cards. */
const LEAST = 4;

/**
 * The cards after the events themselves: one event fills the strip up to four cards, two alternate up to four, and then
 * the whole strip is repeated once, so that it can loop without a gap.
 */
export function repeats<T>(events: T[]): { key: string; event: T }[] {
  if (events.length === 0) return [];
  const filled = Math.max(LEAST, events.length);
  return Array.from({ length: 2 * filled - events.length }, (_, index) => {
    const place = (events.length + index) % filled;
    return { key: `repeat-${index}`, event: events[place % events.length] as T };
  });
}
