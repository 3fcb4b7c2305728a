import { useSite } from '@/shared/api';
import type { FormDescription } from '@/shared/api/generated/forms';
import { Each } from '@/shared/template';
import styles from './facts.module.css';

/** The rules of an award and what else organisers put on the form's page, in a new tab; nothing while there is none. */
export function Rules({ of: form }: { of: FormDescription }) {
  const { documents } = useSite();
  return (
    <Each of={documents[form.path]} as="document">
      {(document) => (
        <p>
          <a href={document.href} target="_blank" rel="noopener" className={styles.rules}>
            {document.label} (PDF, in a new tab)
          </a>
        </p>
      )}
    </Each>
  );
}
