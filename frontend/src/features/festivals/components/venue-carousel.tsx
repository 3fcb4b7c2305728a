import { useApi, type Venue } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Carousel } from '@/shared/ui/carousel';
import { PictureButton } from '@/shared/ui/overlay';
import { Picture } from '@/shared/ui/picture';
import { Section } from '@/shared/ui/section';
import styles from './tile.module.css';

/** The venues' pictures; a click enlarges one. */
export function VenueCarousel() {
  const venues = useApi<Venue[]>('/venues/');
  if (venues.status !== 'loaded') return null;
  return (
    <Section id="venue" title="VENUE" malayalam="വേദികൾ">
      <Carousel of={venues.data} label="Venues" slides="two" delay={2000}>
        {(venue) => (
          <figure className={styles.tile}>
            {venue.image ? (
              <PictureButton image={venue.image} title={venue.name}>
                <Picture src={venue.image} alt={`Enlarge: ${venue.name}`} shape="still" sizes="two" />
              </PictureButton>
            ) : (
              <Picture src={null} alt="" shape="still" sizes="two" />
            )}
            <figcaption className={styles.caption}>
              <strong className={styles.title} lang={langOf(venue.name)}>
                {venue.name}
              </strong>
              {venue.place && <span lang={langOf(venue.place)}>{venue.place}</span>}
            </figcaption>
          </figure>
        )}
      </Carousel>
    </Section>
  );
}
