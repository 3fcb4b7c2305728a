import { Load, type Picture as PosterData, useApi } from '@/shared/api';
import { choose, langOf, When } from '@/shared/template';
import { Carousel } from '@/shared/ui/carousel';
import { Status } from '@/shared/ui/page';
import { altOf, Picture } from '@/shared/ui/picture';
import { Section } from '@/shared/ui/section';
import styles from './tile.module.css';

const block = { id: 'posters', title: 'Posters', malayalam: 'പോസ്റ്ററുകൾ', slant: 'left' } as const;

/** The festival's posters. */
export function Posters() {
  const posters = useApi<PosterData[]>('/posters/');
  return (
    <Load
      of={posters}
      loading={
        <Section {...block}>
          <Status>Loading posters...</Status>
        </Section>
      }
    >
      {(posters) => (
        <Section {...block}>
          <Carousel of={posters} label="Posters" slides="posters" delay={2000} free>
            {(poster) => (
              <figure className={styles.tile}>
                <Picture
                  src={poster.image}
                  alt={altOf(poster, 'image', choose(poster.title, `Poster: ${poster.title}`, 'Poster'))}
                  shape="poster"
                  across="posters"
                  missing="No Image"
                />
                <When value={poster.title}>
                  {(title) => (
                    <figcaption className={styles.title} lang={langOf(title)}>
                      {title}
                    </figcaption>
                  )}
                </When>
              </figure>
            )}
          </Carousel>
        </Section>
      )}
    </Load>
  );
}
