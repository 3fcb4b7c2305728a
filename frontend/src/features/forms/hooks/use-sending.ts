import { useEffect, useRef, useState } from 'react';
import type { Answer, Progress } from '../model/send';

/** Where a form stands: being filled in, on its way, arrived. */
export type Phase = 'editing' | 'submitting' | 'submitted';

/** The work of one sending: it says how far it is, and ends when a person stops it. */
export type SendingWork = (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<Answer>;

/** After so long without progress a person is asked whether to go on, in milliseconds. */
const QUIET_MS = 60_000;

/** Sends a form and tells how it goes; one that `stays` can be filled in anew afterwards. */
export function useSending(stays = false) {
  const [phase, setPhase] = useState<Phase>('editing');
  const [progress, setProgress] = useState<Progress | null>(null);
  /** The progress that nothing has followed for long. */
  const [quietAt, setQuietAt] = useState<Progress | null | undefined>();
  const quiet = phase === 'submitting' && quietAt === progress;
  const abort = useRef<AbortController | null>(null);

  // Every sign of life begins the wait anew.
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
