import { Load, useApi, type Venue } from '@/shared/api';
import { Each, langOf, When } from '@/shared/template';
import { Section } from '@/shared/ui/section';
import styles from './venue-list.module.css';

/** Where the festival happens, in words. */
export function VenueList() {
  const venues = useApi<Venue[]>('/venues/');
  return (
    <Load of={venues}>
      {(venues) => (
        <Section id="venues" title="Venues" ground="paper" slant="right">
          <ul className={styles.list}>
            <Each of={venues} as="venue">
              {(venue) => (
                <li className={styles.venue}>
                  <h3 lang={langOf(venue.name)}>{venue.name}</h3>
                  <p>{venue.place}</p>
                  <When value={venue.map_url}>
                    {(map) => (
                      <a href={map} className={styles.map} rel="noopener" aria-label={`${venue.name} on the map`}>
                        Find on the map
                      </a>
                    )}
                  </When>
                </li>
              )}
            </Each>
          </ul>
        </Section>
      )}
    </Load>
  );
}
