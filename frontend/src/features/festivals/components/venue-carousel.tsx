import { Load, useApi, type Venue } from '@/shared/api';
import { langOf, When } from '@/shared/template';
import { Carousel } from '@/shared/ui/carousel';
import { PictureButton } from '@/shared/ui/overlay';
import { Picture } from '@/shared/ui/picture';
import { Section } from '@/shared/ui/section';
import styles from './tile.module.css';

/** The venues' pictures; a click enlarges one. */
export function VenueCarousel() {
  const venues = useApi<Venue[]>('/venues/');
  return (
    <Load of={venues}>
      {(venues) => (
        <Section id="venue" title="VENUE" malayalam="വേദികൾ">
          <Carousel of={venues} label="Venues" slides="two" delay={2000}>
            {(venue) => (
              <figure className={styles.tile}>
                <When value={venue.image} otherwise={<Picture src={null} alt="" shape="still" across="two" />}>
                  {(image) => (
                    <PictureButton image={image} title={venue.name}>
                      <Picture src={image} alt={`Enlarge: ${venue.name}`} shape="still" across="two" />
                    </PictureButton>
                  )}
                </When>
                <figcaption className={styles.title} lang={langOf(venue.name)}>
                  {venue.name}
                </figcaption>
              </figure>
            )}
          </Carousel>
        </Section>
      )}
    </Load>
  );
}
