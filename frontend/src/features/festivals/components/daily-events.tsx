import { type Picture, useApi } from '@/shared/api';
import { Carousel } from '@/shared/ui/carousel';
import { Status } from '@/shared/ui/page';
import { Section } from '@/shared/ui/section';
import { PictureTile } from './picture-tile';

const block = {
  id: 'daily-events',
  title: 'DAILY EVENTS',
  malayalam: 'ദിവസവും',
  slant: 'right',
} as const;

/** What happens day by day; a click enlarges a picture. */
export function DailyEvents() {
  const events = useApi<Picture[]>('/daily-events/');
  if (events.status === 'loading')
    return (
      <Section {...block}>
        <Status>Loading Events...</Status>
      </Section>
    );
  if (events.status !== 'loaded') return null;
  return (
    <Section {...block}>
      <Carousel of={events.data} label="Daily events" slides="posters" delay={2000}>
        {(event) => <PictureTile tile={event} shape="square" sizes="posters" />}
      </Carousel>
    </Section>
  );
}
