import { useSite } from '@/shared/api';
import styles from './documents.module.css';

/** The documents that organisers put on the page at this path: schedules, programmes. */
export function Documents({ on }: { on: string }) {
  const documents = useSite().documents[on];
  if (!documents?.length) return null;
  return (
    <section className={styles.documents} aria-labelledby="documents-title">
      <h2 id="documents-title" className={styles.title}>
        To download
      </h2>
      <ul>
        {documents.map((document) => (
          <li key={document.key}>
            <a href={document.href} target="_blank" rel="noopener" className={styles.link}>
              <span>{document.label}</span>
              <span className={styles.kind}>PDF{document.size_text && <>, {document.size_text}</>}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
