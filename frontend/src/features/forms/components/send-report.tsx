import type { FormDescription } from '@/shared/api/generated/forms';
import { Button } from '@/shared/ui/page';
import { useAwake } from '../hooks/use-awake';
import { bytesText, spanText } from '../model/amounts';
import type { Problem } from '../model/entries';
import { inputId } from '../model/form-element';
import type { Progress } from '../model/send';
import type { Trouble } from '../model/trouble';
import { ProgressBar } from './progress-bar';
import { Receipt } from './receipt';
import type { SendPartProps } from './send-part';
import styles from './send-part.module.css';

interface SendFaultsProps {
  form: FormDescription;
  problems: Problem[];
  trouble: Trouble | null;
}

/** Problems to correct before a form is sent again, and errors. */
export function SendFaults({ form, problems, trouble }: SendFaultsProps) {
  return (
    <>
      <Summary form={form} problems={problems} />
      {trouble ? (
        <div className={styles.trouble} role="alert">
          <p className={styles.message}>{trouble.message}</p>
          <p>Nothing is lost: everything you entered is still here.</p>
        </div>
      ) : null}
    </>
  );
}

/** Progress of sending, and the message below the button once the form has arrived. */
export function SendProgress({ phase, progress, quiet, onStop, receipt, waiting }: SendPartProps) {
  useAwake(phase === 'submitting');
  return (
    <>
      {phase === 'submitting' ? <HowFar progress={progress} /> : null}
      {phase === 'submitting' && progress?.working ? (
        <div className={styles.quiet}>
          <p role="status">
            Many forms came from your connection. Your device does a short calculation that shows it is no machine’s
            flood; then yours is sent by itself.
          </p>
          <button type="button" className={styles.stop} onClick={onStop}>
            Stop sending
          </button>
        </div>
      ) : null}
      {phase === 'submitting' && progress?.again ? (
        <div className={styles.quiet}>
          <p role="status">Many forms are arriving at the moment. Yours is sent again by itself.</p>
          <p>Next time in {spanText(progress.again)}.</p>
          <button type="button" className={styles.stop} onClick={onStop}>
            Stop sending
          </button>
        </div>
      ) : null}
      {phase === 'submitting' && quiet ? (
        <div className={styles.quiet} role="status">
          <p>
            Nothing has moved for a minute. It may go on by itself. You may also stop and send the form again: it cannot
            arrive twice.
          </p>
          <button type="button" className={styles.stop} onClick={onStop}>
            Stop sending
          </button>
        </div>
      ) : null}
      {phase === 'submitted' && receipt?.reference ? (
        <p className={styles.arrived} role="status">
          It has arrived. Your reference: <strong>{receipt.reference}</strong>
        </p>
      ) : null}
      {phase === 'submitted' && receipt && waiting ? (
        <>
          <p role="status">
            The next page cannot be loaded at the moment, and is tried again. You need nothing from it: everything is
            here.
          </p>
          <Receipt receipt={receipt} />
          <Button href="/">Go Home</Button>
        </>
      ) : null}
    </>
  );
}

/** Number of problems listed at once; a longer list opens on demand. */
const FEW = 8;

/** All problems to correct, with links to their fields. */
function Summary({ form, problems }: { form: FormDescription; problems: Problem[] }) {
  if (problems.length === 0) return null;
  const labelOf = (name: string) => form.fields.find((field) => field.name === name)?.label;
  return (
    <details className={styles.summary} open={problems.length <= FEW}>
      <summary className={styles.message}>
        {problems.length === 1 ? 'One entry has to be put right' : `${problems.length} entries have to be put right`}
      </summary>
      <ul>
        {problems.map(({ name, message }) => (
          <li key={name}>
            <a
              href={`#${inputId(name)}`}
              className={styles.link}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(inputId(name))?.focus();
              }}
            >
              {labelOf(name) ?? message}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function HowFar({ progress }: { progress: Progress | null }) {
  if (!progress || progress.total === 0 || progress.again || progress.working) return null;
  const { sent, total, secondsLeft } = progress;
  const text =
    sent >= total
      ? 'Sent; waiting for confirmation.'
      : `${bytesText(sent)} of ${bytesText(total)}${secondsLeft === null ? '' : `, ${spanText(secondsLeft)} left`}`;
  return (
    <div className={styles.progress}>
      <ProgressBar label="Sending" sent={sent} total={total} />
      <p>{text}</p>
    </div>
  );
}
