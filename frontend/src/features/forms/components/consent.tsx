import { useSite } from '@/shared/api';
import { extraFields, texts } from '@/shared/api/generated/forms';
import type { Notice } from '@/shared/api/generated/forms-api';
import { inputId } from '../model/form-element';
import styles from './consent.module.css';

interface ConsentProps {
  /** The notice that the sender agrees to; undefined while it is not known. */
  notice: Notice | undefined;
  /** Error message of the box; empty without an error. */
  problem: string;
}

/** The end of a form: how the data are used, and the checkbox to agree to it. */
export function Consent({ notice, problem }: ConsentProps) {
  const { modules } = useSite();
  const id = inputId(extraFields.consent);
  return (
    <section className={styles.consent} aria-labelledby={`${id}-title`}>
      <p id={`${id}-title`} className={styles.title}>
        Your personal data
      </p>
      {notice ? (
        <>
          <p>{notice.lead}</p>
          <dl className={styles.items}>
            {notice.items.map(({ title, text, email }) => (
              <div key={title} className={styles.item}>
                <dt>{title}</dt>
                <dd>
                  <p>
                    {text} {email ? <a href={`mailto:${email}`}>{email}</a> : null}
                  </p>
                </dd>
              </div>
            ))}
          </dl>
        </>
      ) : null}
      {modules.content && (
        <a href="/privacy-and-terms" target="_blank" rel="noopener" className={styles.link}>
          Privacy and terms
        </a>
      )}
      <div className={styles.agreement} data-problem={problem !== ''}>
        <label className={styles.choice}>
          <input
            type="checkbox"
            id={id}
            name={extraFields.consent}
            value="yes"
            className={styles.mark}
            aria-required
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
      </div>
    </section>
  );
}
