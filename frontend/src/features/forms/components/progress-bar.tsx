import styles from './progress-bar.module.css';

interface ProgressBarProps {
  /** What is in progress. */
  label: string;
  sent: number;
  total: number;
}

/** Progress of an upload. */
export function ProgressBar({ label, sent, total }: ProgressBarProps) {
  return <progress className={styles.bar} value={sent} max={total} aria-label={label} />;
}
