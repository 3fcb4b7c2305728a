import { type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { type FormDescription, texts } from '@/shared/api/generated/forms';
import type { Phase } from '../hooks/use-sending';
import type { Problem } from '../model/entries';
import { useFormTools } from '../model/load-tools';
import type { Receipt as ReceiptData } from '../model/receipt';
import type { Progress } from '../model/send';
import type { Trouble } from '../model/trouble';
import styles from './send-part.module.css';

export interface SendPartProps {
  form: FormDescription;
  phase: Phase;
  /** False until hydration, when the page can send. */
  ready: boolean;
  problems: Problem[];
  trouble: Trouble | null;
  progress: Progress | null;
  /** No progress for a while. */
  quiet: boolean;
  onStop: () => void;
  /** The receipt, once the form has arrived. */
  receipt: ReceiptData | null;
  /** The next page cannot be loaded yet. */
  waiting: boolean;
  /** What the sender agrees to by sending. */
  children?: ReactNode;
}

/** The end of a form: problems to correct, the button, progress of sending, and errors. */
export function SendPart(props: SendPartProps) {
  const { form, phase, ready, problems, trouble, children } = props;
  const online = useOnline();
  const tools = useFormTools();
  const button = useRef<HTMLButtonElement>(null);
  const sent = useRef(false);

  // Before a dialog opens, which returns the focus to the element that had it.
  useLayoutEffect(() => {
    // The browser takes the focus from a button that is disabled; it gets it back once the form can be sent again.
    const lost = document.activeElement === document.body;
    if (phase === 'editing' && sent.current && lost) button.current?.focus({ preventScroll: true });
    sent.current = phase !== 'editing';
  }, [phase]);

  return (
    <div className={styles.part}>
      {tools ? <tools.SendFaults form={form} problems={problems} trouble={trouble} /> : null}
      {online ? null : (
        <p className={styles.trouble} role="status">
          You are offline. You can go on filling in the form and send it when you are connected again.
        </p>
      )}
      {children}
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
      {tools && phase !== 'editing' ? <tools.SendProgress {...props} /> : null}
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

/** Whether the browser is online; always true on the server. */
function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}
