import { type HistoryYear, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { Page, Status } from '@/shared/ui/page';
import styles from './history-page.module.css';

/** The festival's years. */
export default function HistoryPage() {
  const { product } = useSite();
  const years = useApi<HistoryYear[]>('/history/');
  return (
    <Page title="History" malayalam="ചരിത്രം">
      <Head
        title={`History · ${product.name}`}
        description={`Every edition of the ${product.full_name}: dates, venues, directors.`}
      />
      {years.status === 'loading' && <Status>Loading...</Status>}
      {years.status === 'error' && <Status onRetry={years.retry}>The history is not available at the moment.</Status>}
      {years.status === 'empty' && <Status whole>The earlier years will be told here.</Status>}
      {years.status === 'loaded' && (
        <ol>
          {years.data.map((year) => (
            <li key={year.id} className={styles.year}>
              <h2 className={styles.number}>{year.year}</h2>
              <div className={styles.facts}>
                <p className={styles.edition}>{year.edition}</p>
                <dl>
                  <Fact name="Dates" value={year.dates} />
                  <Fact name="Venue" value={year.venue} />
                  <Fact name="Festival director" value={year.director} />
                  <Fact name="Chair" value={year.chair} />
                </dl>
                {year.archive && (
                  <a href={year.archive} className={styles.archive}>
                    The festival of {year.year} in the archive
                  </a>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Page>
  );
}

function Fact({ name, value }: { name: string; value: string | null }) {
  return (
    value && (
      <div className={styles.fact} data-of={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    )
  );
}
