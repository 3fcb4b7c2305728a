import type { ReactNode } from 'react';
import styles from './status.module.css';

interface StatusProps {
  children: ReactNode;
  /** Offers to ask again. */
  onRetry?: () => void;
  kind?: 'quiet' | 'error';
}

/** What stands where content is loading, empty or failed. */
export function Status({ children, onRetry, kind = 'quiet' }: StatusProps) {
  return (
    <div className={styles.status} data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
      <p>{children}</p>
      {onRetry ? (
        <button type="button" className={styles.retry} onClick={onRetry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}
