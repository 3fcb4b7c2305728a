import { useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { Button } from '@/shared/ui/page';
import styles from './not-found-page.module.css';

/** The page for addresses that do not exist. */
export default function NotFoundPage() {
  const { product } = useSite();
  return (
    <div className={styles.page} data-surface="night">
      <Head title={`Page Not Found · ${product.name}`} description="Oops! We couldn't find that page." hidden />
      <div className={styles.text} data-surface="lit">
        <p className={styles.number} aria-hidden="true">
          404
        </p>
        <h1 className={styles.title}>Page Not Found</h1>
        <p lang="ml" className={styles.malayalam}>
          ഈ പേജ് ഇവിടെയില്ല
        </p>
        <p>Oops! We couldn't find that page.</p>
        <Button href="/">Back to the home page</Button>
      </div>
    </div>
  );
}
