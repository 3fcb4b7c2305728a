import { useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { useLocation } from '@/shared/router';
import { Button, Page } from '@/shared/ui/page';
import { useHydrated } from '@/shared/use-hydrated';
import { Receipt } from '../components/receipt';
import { readReceipt } from '../model/receipt';
import styles from './success-page.module.css';

/** The confirmation after a form was sent; its receipt comes from this device alone. */
export default function SuccessPage() {
  const { product } = useSite();
  const { state } = useLocation() as { state: { reference?: unknown } | null };
  const hydrated = useHydrated();
  const receipt = hydrated ? readReceipt() : null;
  // The browser's history stores it in a tab without session storage.
  const reference = hydrated && typeof state?.reference === 'string' ? state.reference : '';
  return (
    <Page title="Form Submitted Successfully" malayalam="നന്ദി" lead="Thank you! Your submission has been received.">
      <Head
        title={`Form Submitted Successfully · ${product.name}`}
        description="Your submission has been received."
        hidden
      />
      {receipt ? <Receipt receipt={receipt} /> : null}
      {reference && !receipt ? (
        <p className={styles.reference}>
          Your reference <strong>{reference}</strong>
        </p>
      ) : null}
      <Button href="/">Go Home</Button>
    </Page>
  );
}
