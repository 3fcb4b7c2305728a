import { useApi } from '@/shared/api';
import type { Toy } from '@/shared/api/generated/api';
import { Head } from '@/shared/head';
import { Page, Status } from '@/shared/ui/page';
import { ToyList } from '../components/toy-list';
import { useToysFacts } from '../toys-facts';
import styles from './toys-page.module.css';

/** The toys of the edition. */
export default function ToysPage() {
  const { product, toy_wish } = useToysFacts();
  const toys = useApi<Toy[]>('/toys/');
  return (
    <Page title="Toys" malayalam="കളിപ്പാട്ടങ്ങൾ">
      <Head title={`Toys · ${product.name}`} description={`The toys of the ${product.full_name}.`} />
      <p className={styles.wish}>{`What children wish for: ${toy_wish}`}</p>
      {toys.status === 'loading' && <Status>Loading ...</Status>}
      {toys.status === 'error' && (
        <Status kind="error" onRetry={toys.retry}>
          Unable to load the toys. Please try again later.
        </Status>
      )}
      {toys.status === 'empty' && <Status whole>No toys yet.</Status>}
      {toys.status === 'loaded' && <ToyList toys={toys.data} />}
    </Page>
  );
}
