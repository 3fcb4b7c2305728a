import { Load, type UpcomingEvent, useApi } from '@/shared/api';
import { useRotation } from '@/shared/motion';
import { Each } from '@/shared/template';
import { Button } from '@/shared/ui/page';
import { PauseButton } from '@/shared/ui/pause-button';
import { Section } from '@/shared/ui/section';
import { useHydrated } from '@/shared/use-hydrated';
import { EventCard } from './event-card';
import { repeats } from './event-strip';
import styles from './upcoming-events.module.css';

/** The strip of upcoming events; hidden where there are none. */
export function UpcomingEvents() {
  const events = useApi<UpcomingEvent[]>('/upcoming-events/');
  return (
    <Load of={events}>
      {(events) => (
        <Section id="upcoming-events" title="Upcoming Events" malayalam="വരാനിരിക്കുന്നവ" slant="left">
          <Strip events={events} />
          <p className={styles.all}>
            <Button href="/upcoming-events.ics" kind="quiet">
              All events in your calendar
            </Button>
          </p>
        </Section>
      )}
    </Load>
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
      // Where it scrolls by hand, the keyboard has to scroll it too.
      tabIndex={rotation.running ? undefined : 0}
      className={styles.strip}
      data-running={rotation.running || undefined}
      data-live={hydrated || undefined}
      {...rotation.host}
    >
      <ul className={styles.track}>
        <Each of={events} as="event">
          {(event) => (
            <li className={styles.slide}>
              <EventCard event={event} />
            </li>
          )}
        </Each>
        {/* Repeated cards fill the strip and close the loop; they are there for the eye alone. */}
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
