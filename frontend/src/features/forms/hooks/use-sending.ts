import { useEffect, useRef, useState } from 'react';
import { useFirstPage } from '@/shared/api/boot';
import { type FormDescription, texts } from '@/shared/api/generated/forms';
import type { Problem } from '../model/checks';
import { type Answer, type Progress, send } from '../model/send';
import { useAwake } from './use-awake';

/** Where a form stands: being filled in, on its way, arrived. */
export type Phase = 'editing' | 'submitting' | 'submitted';

/** What a form that was not taken says beside its button. */
export interface Trouble {
  message: string;
  /** What the server itself said; empty: nothing. */
  said: string;
  problems: Problem[];
}

/** The work of one sending: it says how far it is, and ends when a person stops it. */
export type SendingWork = (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<Answer>;

/** After so long without progress a person is asked whether to go on, in milliseconds. */
const QUIET_MS = 60_000;

/** Sends a form and tells how it goes. */
export function useSending(form: FormDescription) {
  const { boot } = useFirstPage();
  const [phase, setPhase] = useState<Phase>('editing');
  const [progress, setProgress] = useState<Progress | null>(null);
  /** The progress that nothing has followed for long. */
  const [quietAt, setQuietAt] = useState<Progress | null | undefined>();
  const quiet = phase === 'submitting' && quietAt === progress;
  const abort = useRef<AbortController | null>(null);
  const mounted = useRef(true);
  useAwake(phase === 'submitting');

  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  // Every sign of life begins the wait anew.
  useEffect(() => {
    if (phase !== 'submitting') return;
    const timer = setTimeout(() => setQuietAt(progress), QUIET_MS);
    return () => clearTimeout(timer);
  }, [phase, progress]);

  const submit = async (work: SendingWork): Promise<Answer> => {
    setPhase('submitting');
    setProgress(null);
    setQuietAt(undefined);
    abort.current = new AbortController();
    const answer = navigator.onLine ? await work(setProgress, abort.current.signal) : ({ kind: 'lost' } as const);
    setProgress(null);
    setPhase(answer.kind === 'accepted' ? 'submitted' : 'editing');
    return answer;
  };

  /** Sends the form itself. */
  const sendForm = (
    body: FormData | string,
    headers: Record<string, string>,
    onProgress: (progress: Progress) => void,
    signal: AbortSignal,
  ) => send(`${boot.api}${form.api_path}`, body, { headers, onProgress, signal });

  return {
    phase,
    setPhase,
    progress,
    quiet,
    submit,
    sendForm,
    stop: () => abort.current?.abort(),
    isShown: () => mounted.current,
  };
}

/** An earlier sending has arrived, with other entries: these are a new one. */
export function isDifferentFromAnEarlierOne(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.problems.some(({ name }) => name === 'Idempotency-Key');
}

/** The server does not have the files any more that were uploaded before. */
export function hasLostFiles(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.problems.some(({ name }) => name === 'Staged-Files');
}

/** The server has looked at these entries and not kept them; a timeout and a sending under way say nothing of the kind. */
export function isRefusal(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.status < 500 && ![408, 409].includes(answer.status);
}

/** What a machine between the browser and the festival means, which does not speak to visitors. */
function wordsFor(status: number): string {
  if (status === 413)
    return 'The form is too large for a computer between you and the festival. Please choose smaller files, or send it over another connection.';
  if (status === 429) return 'Too much is being sent at the moment. Please wait a minute and send the form again.';
  if (status >= 500)
    return 'The festival cannot be reached at the moment. Please send the form again in a minute. That is safe: it cannot arrive twice.';
  return texts.failure;
}

/** The sentence beside the button for an answer that is no success. */
export function troubleOf(answer: Exclude<Answer, { kind: 'accepted' }>): Trouble {
  if (isDifferentFromAnEarlierOne(answer)) {
    const message =
      'An earlier sending of this form has arrived, before your last changes. Send it again if these should follow as a second one.';
    return { message, said: message, problems: [] };
  }
  if (answer.kind === 'refused') {
    const message = answer.said ? answer.message : wordsFor(answer.status);
    return { message, said: answer.message, problems: answer.problems };
  }
  const message = navigator.onLine
    ? 'The connection broke before the festival could answer. Sending again is safe: it cannot arrive twice.'
    : 'You are offline. Send the form when you are connected again.';
  return { message, said: '', problems: [] };
}
