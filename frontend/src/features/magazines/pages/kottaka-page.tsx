import { type Magazine, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { Page, Status } from '@/shared/ui/page';
import { Issue } from '../components/issue';
import styles from './kottaka-page.module.css';

/** The issues of the magazine. */
export default function KottakaPage() {
  const { product } = useSite();
  const magazines = useApi<Magazine[]>('/kottaka-magazines/');
  return (
    <Page title="Kottaka" malayalam="കൊട്ടക" surface="night">
      <Head
        title={`Kottaka · ${product.name}`}
        description={`The magazine of the ${product.full_name}: every issue as PDF.`}
      />
      {magazines.status === 'loading' && <Status>Loading ...</Status>}
      {magazines.status === 'error' && (
        <Status kind="error" onRetry={magazines.retry}>
          Unable to load magazines. Please try again later.
        </Status>
      )}
      {magazines.status === 'empty' && <Status whole>No magazines available at the moment.</Status>}
      {magazines.status === 'loaded' && (
        <ul className={styles.grid}>
          {magazines.data.map((magazine, index) => (
            <li key={magazine.id}>
              <Issue magazine={magazine} eager={index === 0} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
