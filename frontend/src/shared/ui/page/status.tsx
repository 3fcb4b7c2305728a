import type { ReactNode } from 'react';
import styles from './status.module.css';

interface StatusProps {
  children: ReactNode;
  /** Offers to ask again. */
  onRetry?: () => void;
  kind?: 'quiet' | 'error';
  /** It is all that the page has to say: it stands as large as that, and a way leads on. */
  whole?: boolean;
}

/** What stands where content is loading, empty or failed. */
export function Status({ children, onRetry, kind = 'quiet', whole = false }: StatusProps) {
  return (
    <div
      className={styles.status}
      data-kind={kind}
      data-whole={whole || undefined}
      role={kind === 'error' ? 'alert' : 'status'}
    >
      <p>{children}</p>
      {onRetry ? (
        <button type="button" className={styles.retry} onClick={onRetry}>
          Try again
        </button>
      ) : null}
      {whole ? (
        <a href="/" className={styles.retry}>
          To the home page
        </a>
      ) : null}
    </div>
  );
}
