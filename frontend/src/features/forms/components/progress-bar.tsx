import styles from './progress-bar.module.css';

interface ProgressBarProps {
  /** What is under way. */
  label: string;
  sent: number;
  total: number;
}

/** How much of an upload has been sent. */
export function ProgressBar({ label, sent, total }: ProgressBarProps) {
  return <progress className={styles.bar} value={sent} max={total} aria-label={label} />;
}
