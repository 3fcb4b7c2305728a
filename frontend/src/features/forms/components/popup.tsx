import { Overlay } from '@/shared/ui/overlay';
import styles from './dialog.module.css';

/** A message about the result; OK, Escape or a click outside closes it. */
export function Popup({ kind, text, onClose }: { kind: 'success' | 'error'; text: string; onClose: () => void }) {
  return (
    <Overlay label={kind === 'success' ? 'Message sent' : 'Message not sent'} onClose={onClose}>
      <div className={styles.dialog} data-kind={kind}>
        <p className={styles.title}>{text}</p>
        <div className={styles.actions}>
          <button type="button" className={styles.action} onClick={onClose}>
            OK
          </button>
        </div>
      </div>
    </Overlay>
  );
}
