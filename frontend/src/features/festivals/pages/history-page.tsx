import { type HistoryYear, Load, useApi, useSite } from '@/shared/api';
import { Each, Head, When } from '@/shared/template';
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
      <Load
        of={years}
        loading={<Status>Loading...</Status>}
        error={<Status onRetry={years.retry}>The history is not available at the moment.</Status>}
        empty={<Status>The earlier years will be told here.</Status>}
      >
        {(years) => (
          <ol className={styles.years}>
            <Each of={years} as="year">
              {(year) => (
                <li className={styles.year}>
                  <h2 className={styles.number}>{year.year}</h2>
                  <div className={styles.facts}>
                    <p className={styles.edition}>{year.edition}</p>
                    <dl>
                      <Fact name="Dates" value={year.dates} />
                      <Fact name="Venue" value={year.venue} />
                      <Fact name="Festival director" value={year.director} />
                      <Fact name="Chair" value={year.chair} />
                    </dl>
                  </div>
                </li>
              )}
            </Each>
          </ol>
        )}
      </Load>
    </Page>
  );
}

function Fact({ name, value }: { name: string; value: string | null }) {
  return (
    <When value={value}>
      {(value) => (
        <div className={styles.fact} data-of={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      )}
    </When>
  );
}
