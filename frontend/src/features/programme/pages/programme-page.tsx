import { type Programme, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { Page, Status } from '@/shared/ui/page';

/** The released programme: a list of each day. */
export default function ProgrammePage() {
  const { product } = useSite();
  const programme = useApi<Programme>('/programme/');
  return (
    <Page title="Programme" malayalam="പ്രദർശനക്രമം">
      <Head
        title={`Programme · ${product.name}`}
        description={`What the ${product.full_name} shows: films, talks and ceremonies by day, time and hall.`}
      />
      {programme.status === 'loading' && <Status>Loading ...</Status>}
      {programme.status === 'error' && (
        <Status kind="error" onRetry={programme.retry}>
          Unable to load the programme. Please try again later.
        </Status>
      )}
      {programme.status === 'loaded' && programme.data.version === 0 && (
        <Status whole>The programme is not out yet.</Status>
      )}
      {programme.status === 'loaded' && <Days programme={programme.data} />}
    </Page>
  );
}

function Days({ programme }: { programme: Programme }) {
  const halls = new Map(programme.halls.map((hall) => [hall.id, hall.name]));
  return programme.days.map((day) => (
    <section key={day} aria-label={day}>
      <h2>{day}</h2>
      <ul>
        {programme.screenings
          .filter((screening) => screening.day === day)
          .map((screening) => (
            <li key={screening.id}>
              {screening.starts_at.slice(11, 16)} {screening.title}, {halls.get(screening.hall)}
              {screening.cancelled && ' (cancelled)'}
            </li>
          ))}
      </ul>
    </section>
  ));
}
