import { useSite } from '@/shared/api';
import type { Notice } from '@/shared/api/generated/api';
import { extraFields, texts } from '@/shared/api/generated/forms';
import { inputId } from '../model/form-element';
import styles from './consent.module.css';

interface ConsentProps {
  /** The notice that the sender agrees to. */
  notice: Notice;
  /** Whether agreeing is a box to tick; otherwise it is sending. */
  box: boolean;
  /** Error message of the box; empty without an error. */
  problem: string;
}

const TITLE = `${inputId(extraFields.consent)}-title`;

/** The end of a form: how the data are used, and the box to agree to it if organisers ask for one. */
export function Consent({ notice, box, problem }: ConsentProps) {
  const { modules } = useSite();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section has a heading, and headings of a form are those of its parts
    <div className={styles.consent} role="region" aria-labelledby={TITLE}>
      <p id={TITLE} className={styles.title}>
        Your personal data
      </p>
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
      {modules.content && (
        <a href="/privacy-and-terms" target="_blank" rel="noopener" className={styles.link}>
          Privacy and terms
        </a>
      )}
      {box ? <Box problem={problem} /> : null}
    </div>
  );
}

function Box({ problem }: { problem: string }) {
  const id = inputId(extraFields.consent);
  return (
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
        <span>{texts.consent_box}</span>
      </label>
      {problem ? (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      ) : null}
    </div>
  );
}

/** The sentence beside the button: sending is agreeing to the notice. */
export function ConsentSentence() {
  const [before, link, after] = texts.consent_sentence.split(/[{}]/);
  return (
    <p>
      {before}
      <a href={`#${TITLE}`}>{link}</a>
      {after}
    </p>
  );
}
