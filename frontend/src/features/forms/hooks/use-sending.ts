import { useEffect, useRef, useState } from 'react';
import { useFirstPage } from '@/shared/api/boot';
import { type FormDescription, texts } from '@/shared/api/generated/forms';
import type { Problem } from '../model/checks';
import { type Answer, type Progress, send } from '../model/send';

/** Where a form stands: being filled in, on its way, arrived. */
export type Phase = 'editing' | 'submitting' | 'submitted';

/** What a form that was not taken says beside its button. */
export interface Trouble {
  message: string;
  /** What the server itself said; empty: nothing. */
  said: string;
  problems: Problem[];
}

/** Sends a form and tells how it goes. */
export function useSending(form: FormDescription) {
  const { boot } = useFirstPage();
  const [phase, setPhase] = useState<Phase>('editing');
  const [progress, setProgress] = useState<Progress | null>(null);
  const mounted = useRef(true);

  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  const submit = async (body: FormData | string, key: string): Promise<Answer> => {
    setPhase('submitting');
    setProgress(null);
    const answer = navigator.onLine
      ? await send(apiUrl(boot.api, form), body, key, setProgress)
      : ({ kind: 'lost' } as const);
    setProgress(null);
    setPhase(answer.kind === 'accepted' ? 'submitted' : 'editing');
    return answer;
  };

  return { phase, setPhase, progress, submit, isShown: () => mounted.current };
}

function apiUrl(mount: string, form: FormDescription): string {
  return (mount === '/' ? '' : mount) + form.api_path;
}

/** An earlier sending has arrived, with other entries: these are a new one. */
export function isDifferentFromAnEarlierOne(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.problems.some(({ name }) => name === 'Idempotency-Key');
}

/** The server has looked at these entries and not kept them; a timeout and a sending under way say nothing of the kind. */
export function isRefusal(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.status < 500 && ![408, 409].includes(answer.status);
}

/** The sentence beside the button for an answer that is no success. */
export function troubleOf(answer: Exclude<Answer, { kind: 'accepted' }>): Trouble {
  if (isDifferentFromAnEarlierOne(answer)) {
    const message =
      'An earlier sending of this form has arrived, before your last changes. Send it again if these should follow as a second one.';
    return { message, said: message, problems: [] };
  }
  if (answer.kind === 'refused') {
    return { message: answer.message || texts.failure, said: answer.message, problems: answer.problems };
  }
  const message = navigator.onLine
    ? 'The connection broke before the festival could answer. Sending again is safe: it cannot arrive twice.'
    : 'You are offline. Send the form when you are connected again.';
  return { message, said: '', problems: [] };
}
