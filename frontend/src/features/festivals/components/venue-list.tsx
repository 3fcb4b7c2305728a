import { useApi, type Venue } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Section } from '@/shared/ui/section';
import styles from './venue-list.module.css';

/** The venues of the festival as text. */
export function VenueList() {
  const venues = useApi<Venue[]>('/venues/');
  if (venues.status !== 'loaded') return null;
  return (
    <Section id="venues" title="Venues" surface="paper" slant="right">
      <ul className={styles.list}>
        {venues.data.map((venue) => (
          <li key={venue.id} className={styles.venue}>
            <h3 lang={langOf(venue.name)}>{venue.name}</h3>
            <p>{venue.place}</p>
            {venue.map_url && (
              <a href={venue.map_url} className={styles.map} rel="noopener" aria-label={`${venue.name} on the map`}>
                Find on the map
              </a>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
