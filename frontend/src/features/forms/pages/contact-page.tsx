import { useMemo, useState } from 'react';
import { useSite } from '@/shared/api';
import { contact as form } from '@/shared/api/generated/form-contact';
import { texts } from '@/shared/api/generated/forms';
import { Head } from '@/shared/head';
import { Presence } from '@/shared/motion';
import { Page } from '@/shared/ui/page';
import { PublicForm } from '../components/public-form';
import type { Endings } from '../hooks/use-public-form';
import { useFormTools } from '../model/load-tools';
import styles from './contact-page.module.css';

/** How to reach the organisers, and a form to write to them. */
export default function ContactPage() {
  const { product, contact } = useSite();
  const tools = useFormTools();
  const [result, setResult] = useState<{ kind: 'success' | 'error'; text: string } | null>(null);
  const endings = useMemo<Endings>(
    () => ({
      accepted: ({ message }) => setResult({ kind: 'success', text: message || texts.contact_success }),
      failed: ({ serverMessage }) => setResult({ kind: 'error', text: serverMessage || texts.contact_failure }),
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
          {contact.address && <p className={styles.address}>{contact.address}</p>}
          {contact.email && (
            <p>
              <a href={`mailto:${contact.email}`} className={styles.link}>
                {contact.email}
              </a>
            </p>
          )}
          {contact.phone_href && (
            <p>
              <a href={contact.phone_href} className={styles.link}>
                {contact.phone}
              </a>
            </p>
          )}
        </address>
        <PublicForm form={form} endings={endings} />
      </div>
      {tools ? (
        <Presence of={result}>
          {({ kind, text }) => <tools.Popup kind={kind} text={text} onClose={() => setResult(null)} />}
        </Presence>
      ) : null}
    </Page>
  );
}
