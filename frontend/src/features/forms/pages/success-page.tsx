import { useSite } from '@/shared/api';
import { useLocation } from '@/shared/router';
import { Head } from '@/shared/template';
import { Button, Page } from '@/shared/ui/page';
import { useHydrated } from '@/shared/use-hydrated';
import styles from './success-page.module.css';

/** What follows a form that was sent. */
export default function SuccessPage() {
  const { product } = useSite();
  const { state } = useLocation() as { state: { reference?: unknown } | null };
  // The browser's history remembers it also after a reload, when the template has not got it.
  const reference = useHydrated() && typeof state?.reference === 'string' ? state.reference : '';
  return (
    <Page title="Form Submitted Successfully" malayalam="നന്ദി" lead="Thank you! Your submission has been received.">
      <Head
        title={`Form Submitted Successfully · ${product.name}`}
        description="Your submission has been received."
        hidden
      />
      {reference ? (
        <p className={styles.reference}>
          Your reference <strong>{reference}</strong>
        </p>
      ) : null}
      <Button href="/">Go Home</Button>
    </Page>
  );
}
