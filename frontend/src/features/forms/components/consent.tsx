import { useSite } from '@/shared/api';
import { beside, texts } from '@/shared/api/generated/forms';
import { inputId } from '../model/form-element';
import styles from './consent.module.css';

/** The box below a form: that the festival may keep what is sent. Whether it must be ticked the server knows. */
export function Consent({ problem }: { problem: string }) {
  const { modules } = useSite();
  const id = inputId(beside.consent);
  return (
    <div className={styles.consent}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          id={id}
          name={beside.consent}
          value="yes"
          className={styles.mark}
          aria-invalid={problem !== ''}
          aria-describedby={problem ? `${id}-problem` : undefined}
        />
        <span>{texts.consent}</span>
      </label>
      {problem ? (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      ) : null}
      {modules.content && (
        <a href="/privacy-and-terms" target="_blank" rel="noopener" className={styles.link}>
          Privacy and terms
        </a>
      )}
    </div>
  );
}
