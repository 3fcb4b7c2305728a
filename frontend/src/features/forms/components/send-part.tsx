import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { type FormDescription, texts } from '@/shared/api/generated/forms';
import { Button } from '@/shared/ui/page';
import type { Phase, Trouble } from '../hooks/use-sending';
import { bytesText, spanText } from '../model/amounts';
import type { Problem } from '../model/checks';
import { inputId } from '../model/form-element';
import type { Receipt as Kept } from '../model/receipt';
import type { Progress } from '../model/send';
import { ProgressBar } from './progress-bar';
import { Receipt } from './receipt';
import styles from './send-part.module.css';

interface SendPartProps {
  form: FormDescription;
  phase: Phase;
  /** False until the page is alive. */
  ready: boolean;
  problems: Problem[];
  trouble: Trouble | null;
  progress: Progress | null;
  /** Nothing has moved for a while. */
  quiet: boolean;
  onStop: () => void;
  /** What has arrived. */
  receipt: Kept | null;
  /** The next page cannot be loaded yet. */
  waiting: boolean;
}

/** The end of a form: what has to be put right, the button, how far the sending is, and what went wrong. */
export function SendPart(props: SendPartProps) {
  const { form, phase, ready, problems, trouble, progress, quiet, onStop, receipt, waiting } = props;
  const online = useOnline();
  const button = useRef<HTMLButtonElement>(null);
  const sent = useRef(false);

  // Before a dialog opens, which gives the focus back to what had it.
  useLayoutEffect(() => {
    // The browser takes the focus from a button that is disabled; whoever may send again goes on from there.
    const lost = document.activeElement === document.body;
    if (phase === 'editing' && sent.current && lost) button.current?.focus({ preventScroll: true });
    sent.current = phase !== 'editing';
  }, [phase]);

  return (
    <div className={styles.part}>
      <Summary form={form} problems={problems} />
      {trouble ? (
        <div className={styles.trouble} role="alert">
          <p className={styles.what}>{trouble.message}</p>
          <p>Nothing is lost: everything you entered is still here.</p>
        </div>
      ) : null}
      {online ? null : (
        <p className={styles.trouble} role="status">
          You are offline. You can go on filling in the form and send it when you are connected again.
        </p>
      )}
      <button
        ref={button}
        type="submit"
        className={styles.button}
        data-phase={phase}
        disabled={!ready || phase !== 'editing'}
      >
        {phase === 'submitting' ? <span className={styles.spinner} aria-hidden="true" /> : null}
        {phase === 'submitted' ? (
          <svg className={styles.tick} viewBox="0 0 20 16" aria-hidden="true">
            <path d="M1 8l6 6L19 2" fill="none" stroke="currentColor" strokeWidth="3" />
          </svg>
        ) : null}
        <span>{{ editing: texts.submit, submitting: texts.submitting, submitted: texts.submitted }[phase]}</span>
      </button>
      {phase === 'submitting' ? <HowFar progress={progress} /> : null}
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
    </div>
  );
}

/** As many problems are listed at once; a longer list opens on demand. */
const FEW = 8;

/** Everything that has to be put right, with the way to each. */
function Summary({ form, problems }: { form: FormDescription; problems: Problem[] }) {
  if (problems.length === 0) return null;
  const labelOf = (name: string) => form.fields.find((field) => field.name === name)?.label;
  return (
    <details className={styles.summary} open={problems.length <= FEW}>
      <summary className={styles.what}>
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
  if (!progress || progress.total === 0) return null;
  const { sent, total, secondsLeft } = progress;
  const words =
    sent >= total
      ? 'Sent; waiting for confirmation.'
      : `${bytesText(sent)} of ${bytesText(total)}${secondsLeft === null ? '' : `, ${spanText(secondsLeft)} left`}`;
  return (
    <div className={styles.progress}>
      <ProgressBar label="Sending" sent={sent} total={total} />
      <p>{words}</p>
    </div>
  );
}

function subscribe(onChange: () => void) {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

/** Whether the browser has a connection; on the server it has. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}
