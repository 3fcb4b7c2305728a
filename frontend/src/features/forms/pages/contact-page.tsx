import { useMemo, useState } from 'react';
import { useSite } from '@/shared/api';
import { forms, texts } from '@/shared/api/generated/forms';
import { Head, When } from '@/shared/template';
import { Page } from '@/shared/ui/page';
import { Popup } from '../components/popup';
import { PublicForm } from '../components/public-form';
import type { Endings } from '../hooks/use-public-form';
import styles from './contact-page.module.css';

const form = forms.contact;

/** How to reach the organisers, and a form to write to them. */
export default function ContactPage() {
  const { product, contact } = useSite();
  const [result, setResult] = useState<{ kind: 'success' | 'error'; text: string } | null>(null);
  const endings = useMemo<Endings>(
    () => ({
      accepted: ({ message }) => setResult({ kind: 'success', text: message || texts.contact_success }),
      failed: ({ said }) => setResult({ kind: 'error', text: said || texts.contact_failure }),
      stays: true,
    }),
    [],
  );
  return (
    <Page title={form.title} malayalam="ബന്ധപ്പെടുക" lead={form.lead}>
      <Head
        title={`Contact · ${product.name}`}
        description={`How to reach the organisers of the ${product.full_name}.`}
      />
      <div className={styles.columns}>
        <address className={styles.contact}>
          <When value={contact.address}>{(address) => <p className={styles.address}>{address}</p>}</When>
          <When value={contact.email}>
            {(email) => (
              <p>
                <a href={`mailto:${email}`} className={styles.link}>
                  {email}
                </a>
              </p>
            )}
          </When>
          <When value={contact.phone}>
            {(phone) => (
              <p>
                <a href={`tel:${phone}`} className={styles.link}>
                  {phone}
                </a>
              </p>
            )}
          </When>
        </address>
        <PublicForm form={form} endings={endings} />
      </div>
      {result ? <Popup kind={result.kind} text={result.text} onClose={() => setResult(null)} /> : null}
    </Page>
  );
}
