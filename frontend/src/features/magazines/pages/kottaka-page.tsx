import { Load, type Magazine, useApi, useSite } from '@/shared/api';
import { Each, Head } from '@/shared/template';
import { Page, Status } from '@/shared/ui/page';
import { Issue } from '../components/issue';
import styles from './kottaka-page.module.css';

/** The issues of the magazine. */
export default function KottakaPage() {
  const { product } = useSite();
  const magazines = useApi<Magazine[]>('/kottaka-magazines/');
  return (
    <Page title="Kottaka" malayalam="കൊട്ടക" ground="night">
      <Head
        title={`Kottaka · ${product.name}`}
        description={`The magazine of the ${product.full_name}: every issue as PDF.`}
      />
      <Load
        of={magazines}
        loading={<Status>Loading ...</Status>}
        error={
          <Status kind="error" onRetry={magazines.retry}>
            Unable to load magazines. Please try again later.
          </Status>
        }
        empty={<Status>No magazines available at the moment.</Status>}
      >
        {(magazines) => (
          <ul className={styles.grid}>
            <Each of={magazines} as="magazine">
              {(magazine) => (
                <li>
                  <Issue magazine={magazine} />
                </li>
              )}
            </Each>
          </ul>
        )}
      </Load>
    </Page>
  );
}
