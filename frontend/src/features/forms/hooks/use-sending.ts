import { useEffect, useRef, useState } from 'react';
import type { Answer, Progress } from '../model/send';

/** State of a form: being filled in, being sent, arrived. */
export type Phase = 'editing' | 'submitting' | 'submitted';

/** Sends once: reports progress, and ends when the user stops it. */
export type SendingWork = (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<Answer>;

/** Time without progress after which the user is asked whether to go on, in milliseconds. */
const QUIET_MS = 60_000;

/** Sends a form and reports its progress; one that `stays` can be filled in again afterwards. */
export function useSending(stays = false) {
  const [phase, setPhase] = useState<Phase>('editing');
  const [progress, setProgress] = useState<Progress | null>(null);
  /** The progress at which sending has stalled. */
  const [quietAt, setQuietAt] = useState<Progress | null | undefined>();
  const quiet = phase === 'submitting' && quietAt === progress;
  const abort = useRef<AbortController | null>(null);

  // Any progress restarts the wait.
  useEffect(() => {
    if (phase !== 'submitting') return;
    const timer = setTimeout(() => setQuietAt(progress), QUIET_MS);
    return () => clearTimeout(timer);
  }, [phase, progress]);

  const run = async (work: SendingWork): Promise<Answer> => {
    setPhase('submitting');
    setProgress(null);
    setQuietAt(undefined);
    abort.current = new AbortController();
    const answer = navigator.onLine ? await work(setProgress, abort.current.signal) : ({ kind: 'lost' } as const);
    setProgress(null);
    setPhase(answer.kind === 'accepted' && !stays ? 'submitted' : 'editing');
    return answer;
  };

  return { phase, progress, quiet, run, stop: () => abort.current?.abort() };
}
