import { Overlay } from '@/shared/ui/overlay';
import { isAllKept, type KeptState } from '../model/draft-keeper';
import styles from './dialog.module.css';

interface LeaveQuestionProps {
  kept: KeptState;
  onStay: () => void;
  onLeave: () => void;
}

/** Asks before a form with unsent entries is left. */
export function LeaveQuestion({ kept, onStay, onLeave }: LeaveQuestionProps) {
  return (
    <Overlay label="Leave this form?" onClose={onStay}>
      <div className={styles.dialog}>
        <h2 className={styles.title}>Leave this form?</h2>
        <p>
          {isAllKept(kept)
            ? 'It was not sent. Your entries are kept on this device.'
            : kept.entries === 'kept'
              ? 'It was not sent. What you typed is kept on this device, but not every file.'
              : 'It was not sent, and this browser does not keep your entries.'}
        </p>
        <div className={styles.actions}>
          <button type="button" className={styles.action} onClick={onStay}>
            Stay here
          </button>
          <button type="button" className={styles.action} data-kind="quiet" onClick={onLeave}>
            Leave
          </button>
        </div>
      </div>
    </Overlay>
  );
}
