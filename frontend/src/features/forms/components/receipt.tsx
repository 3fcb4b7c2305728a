import type { Receipt as ReceiptData } from '../model/receipt';
import styles from './receipt.module.css';

/** The receipt of a received form: on the confirmation page, and on paper. */
export function Receipt({ receipt }: { receipt: ReceiptData }) {
  const { reference, received, late, nextSteps, corrections, fields, files } = receipt;
  return (
    <div className={styles.receipt}>
      <dl className={styles.facts}>
        <div>
          <dt>Your reference</dt>
          <dd className={styles.reference}>{reference}</dd>
        </div>
        {received ? (
          <div>
            <dt>Received</dt>
            <dd>{received}</dd>
          </div>
        ) : null}
        <div>
          <dt>Form</dt>
          <dd>{receipt.form}</dd>
        </div>
      </dl>
      {late ? <p className={styles.late}>It arrived after the deadline and is marked as late.</p> : null}
      {nextSteps ? (
        <section>
          <h2 className={styles.title}>What happens next</h2>
          <p className={styles.text}>{nextSteps}</p>
        </section>
      ) : null}
      {corrections ? (
        <section>
          <h2 className={styles.title}>Something is wrong?</h2>
          <p className={styles.text}>
            Write to{' '}
            <a href={`mailto:${corrections}?subject=${encodeURIComponent(`Correction of ${reference}`)}`}>
              {corrections}
            </a>{' '}
            and quote your reference.
          </p>
        </section>
      ) : null}
      <section>
        <h2 className={styles.title}>What you sent</h2>
        <dl>
          {fields.map(({ label, value }) => (
            <div key={label} className={styles.entry}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {files.map(({ label, name, size }) => (
            <div key={label} className={styles.entry}>
              <dt>{label}</dt>
              <dd>
                {name} <span className={styles.size}>{size}</span>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <p className={styles.print}>
        <button type="button" className={styles.action} onClick={() => window.print()}>
          Print this page
        </button>
        <span>What you sent is shown from this device only, until you close this tab.</span>
      </p>
    </div>
  );
}
