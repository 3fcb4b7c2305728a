import type { ReactNode } from 'react';
import { useSite } from '@/shared/api';
import type { FormDescription } from '@/shared/api/generated/forms';
import styles from './facts.module.css';

/** Information before one begins: dates and fees, and what to have at hand. */
export function Facts({ form, children }: { form: FormDescription; children: ReactNode }) {
  const needed = form.fields.filter(
    ({ kind, words, required }) => required && (kind === 'file' || kind === 'link' || words > 0),
  );
  return (
    <div className={styles.facts}>
      <dl className={styles.list}>{children}</dl>
      <details className={styles.needed}>
        <summary className={styles.summary}>What to have at hand</summary>
        <ul>
          {needed.map(({ name, label }) => (
            <li key={name} className={styles.item}>
              {label}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

/**
 * Links to the rules of an award and other documents of the form's page, in a new tab; nothing while there are none.
 */
export function Rules({ of: form }: { of: FormDescription }) {
  const { documents } = useSite();
  return documents[form.path]?.map((document) => (
    <p key={document.key}>
      <a href={document.href} target="_blank" rel="noopener" className={styles.rules}>
        {document.label} (PDF, in a new tab)
      </a>
    </p>
  ));
}
