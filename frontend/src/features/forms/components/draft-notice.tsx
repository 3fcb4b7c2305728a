import { useState } from 'react';
import { useSite } from '@/shared/api';
import { type DraftStatus, isAllSaved } from '../model/draft-keeper';
import styles from './draft-notice.module.css';

interface DraftNoticeProps {
  saved: DraftStatus;
  /** Another tab has the form open. */
  elsewhere: boolean;
  onTakeOver: () => void;
  onClear: () => void;
}

/** Says whether the entries are saved on this device, offers to discard them, and warns of a second tab. */
export function DraftNotice({ saved, elsewhere, onTakeOver, onClear }: DraftNoticeProps) {
  const [asking, setAsking] = useState(false);
  if (elsewhere) {
    return (
      <Notice kind="warning" text="This form is open in another tab or window of this browser. Go on in one of them.">
        <button type="button" className={styles.action} onClick={onTakeOver}>
          Go on here
        </button>
      </Notice>
    );
  }
  if (saved.entries === 'failed') {
    return (
      <Notice
        kind="warning"
        text="This browser does not let us keep your entries: its storage is full or closed, as in some private windows. Please send the form before you leave this page."
      />
    );
  }
  return (
    <Notice kind="quiet" text={savedText(saved)}>
      {saved.entries === 'none' ? null : asking ? (
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

function savedText(saved: DraftStatus): string {
  if (saved.entries === 'none') return '';
  if (saved.entries === 'saving') return 'Your entries are not on this device yet.';
  return isAllSaved(saved)
    ? 'Your entries are kept on this device.'
    : 'What you typed is kept on this device. Beside each file stands whether it is.';
}

/** A sentence above the form, with its action. */
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

/** Message for people without JavaScript: the form is complete, but cannot be sent. */
export function WithoutScript() {
  const { contact } = useSite();
  return (
    <noscript>
      <p className={styles.notice} data-kind="warning">
        Sending this form needs JavaScript, which is switched off in this browser.{' '}
        {contact.email && (
          <>
            You can also write to <a href={`mailto:${contact.email}`}>{contact.email}</a>.
          </>
        )}
      </p>
    </noscript>
  );
}
