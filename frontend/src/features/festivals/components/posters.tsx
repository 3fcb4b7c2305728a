import { type Picture as PosterData, useApi } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Carousel } from '@/shared/ui/carousel';
import { Status } from '@/shared/ui/page';
import { Picture } from '@/shared/ui/picture';
import { Section } from '@/shared/ui/section';
import styles from './tile.module.css';

const block = { id: 'posters', title: 'Posters', malayalam: 'പോസ്റ്ററുകൾ', slant: 'left' } as const;

/** The festival's posters. */
export function Posters() {
  const posters = useApi<PosterData[]>('/posters/');
  if (posters.status === 'loading')
    return (
      <Section {...block}>
        <Status>Loading posters...</Status>
      </Section>
    );
  if (posters.status !== 'loaded') return null;
  return (
    <Section {...block}>
      <Carousel of={posters.data} label="Posters" slides="posters" delay={2000} free>
        {(poster) => (
          <figure className={styles.tile}>
            <Picture
              src={poster.image}
              alt={poster.image_alt || (poster.title ? `Poster: ${poster.title}` : 'Poster')}
              shape="poster"
              sizes="posters"
              missing="No Image"
            />
            {poster.title && (
              <figcaption className={styles.title} lang={langOf(poster.title)}>
                {poster.title}
              </figcaption>
            )}
          </figure>
        )}
      </Carousel>
    </Section>
  );
}
