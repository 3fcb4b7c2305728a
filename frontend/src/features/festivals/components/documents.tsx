import { useSite } from '@/shared/api';
import { Each, When } from '@/shared/template';
import styles from './documents.module.css';

/** The documents that organisers put on the page at this path: schedules, programmes. */
export function Documents({ on }: { on: string }) {
  const documents = useSite().documents[on];
  return (
    <When value={documents}>
      <section className={styles.documents} aria-labelledby="documents-title">
        <h2 id="documents-title" className={styles.title}>
          To download
        </h2>
        <ul>
          <Each of={documents} as="document">
            {(document) => (
              <li>
                <a href={document.href} target="_blank" rel="noopener" className={styles.link}>
                  <span>{document.label}</span>
                  <span className={styles.kind}>
                    PDF<When value={document.size_text}>{(size) => <>, {size}</>}</When>
                  </span>
                </a>
              </li>
            )}
          </Each>
        </ul>
      </section>
    </When>
  );
}
