import type { ReactNode } from 'react';
import styles from './status.module.css';

interface StatusProps {
  /** Nothing where a failure is only logged. */
  children?: ReactNode;
  /** Called by the button to try again. */
  onRetry?: () => void;
  kind?: 'quiet' | 'error';
  /** It is the page's only content: large, and with a link to continue. */
  whole?: boolean;
}

/** Message in place of content that is loading, empty or failed. */
export function Status({ children, onRetry, kind = 'quiet', whole = false }: StatusProps) {
  return (
    <div
      className={styles.status}
      data-kind={kind}
      data-whole={whole || undefined}
      role={kind === 'error' ? 'alert' : 'status'}
    >
      {children ? <p>{children}</p> : null}
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
