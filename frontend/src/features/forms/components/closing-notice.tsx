import { texts } from '@/shared/api/generated/forms';
import type { Closing } from '../model/closing';
import type { DraftStatus } from '../model/draft-keeper';
import styles from './closing-notice.module.css';
import { Notice } from './draft-notice';

/** Closing time of a form, with hour and time zone, and the time left. */
export function ClosingNotice({ closing }: { closing: Closing }) {
  if (closing.kind === 'closed') return <Notice kind="warning" text={texts.closed} />;
  if (closing.kind === 'late') {
    return (
      <Notice
        kind="warning"
        text={`The deadline was ${closing.text}. The form is still taken, and is marked as late.`}
      />
    );
  }
  if (!closing.text) return null;
  return (
    <p className={styles.open}>
      Open until {closing.text}.
      <span className={styles.left}>
        {closing.left ? `${closing.left} left.` : null}
        {closing.soon ? ' A sending that has begun by then is taken.' : null}
      </span>
    </p>
  );
}

/** The short notice that stays below the header while one types. The notices above the form give the details. */
export function AlwaysInSight({ closing, saved }: { closing: Closing; saved: DraftStatus }) {
  const warnings = warningsOf(closing, saved);
  return warnings.length === 0 ? null : (
    <p className={styles.strip} aria-hidden="true">
      {warnings.join(' ')}
    </p>
  );
}

function warningsOf(closing: Closing, saved: DraftStatus): string[] {
  const warnings = [];
  if (closing.kind === 'closed') warnings.push('Closed: it is no longer accepted.');
  if (closing.kind === 'late') warnings.push('After the deadline: marked as late.');
  if (closing.kind === 'open' && closing.soon) warnings.push(`Time left: ${closing.left}.`);
  if (saved.entries === 'failed') warnings.push('Not kept on this device.');
  return warnings;
}
