import { useState } from 'react';
import type { Kept } from '../model/draft-keeper';
import styles from './draft-notice.module.css';

interface DraftNoticeProps {
  kept: Kept;
  /** Another tab has the form open. */
  elsewhere: boolean;
  onTake: () => void;
  onClear: () => void;
}

/** Says whether what was entered is kept on this device, offers to forget it, and warns of a second tab. */
export function DraftNotice({ kept, elsewhere, onTake, onClear }: DraftNoticeProps) {
  const [asking, setAsking] = useState(false);
  if (elsewhere) {
    return (
      <Notice kind="warning" text="This form is open in another tab or window of this browser. Go on in one of them.">
        <button type="button" className={styles.action} onClick={onTake}>
          Go on here
        </button>
      </Notice>
    );
  }
  if (kept === 'failed') {
    return (
      <Notice
        kind="warning"
        text="This browser does not let us keep your entries: its storage is full or closed, as in a private window. Please send the form before you leave this page."
      />
    );
  }
  return (
    <Notice kind="quiet" text={kept === 'kept' ? 'Your entries are kept on this device.' : ''}>
      {kept === 'nothing' ? null : asking ? (
        <>
          <button
            type="button"
            className={styles.action}
            onClick={() => {
              setAsking(false);
              onClear();
            }}
          >
            Yes, clear everything
          </button>
          <button type="button" className={styles.action} onClick={() => setAsking(false)}>
            Keep them
          </button>
        </>
      ) : (
        <button type="button" className={styles.action} onClick={() => setAsking(true)}>
          Clear them
        </button>
      )}
    </Notice>
  );
}

/** A sentence above the form, with what can be done about it. */
export function Notice({
  kind,
  text,
  children,
}: {
  kind: 'quiet' | 'warning';
  text: string;
  children?: React.ReactNode;
}) {
  return (
    <div className={styles.notice} data-kind={kind} data-empty={text === ''}>
      <p role="status">{text}</p>
      {children}
    </div>
  );
}
