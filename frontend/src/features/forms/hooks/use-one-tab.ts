import { useCallback, useEffect, useState } from 'react';
import type { FormKey } from '@/shared/api/generated/forms';

/** How long a tab may take to write its entries when another one takes over the form; a frozen one never answers. */
const patienceMs = 2000;

/**
 * Only one tab writes a form's draft. The lock is released when its tab closes or crashes; a tab that takes it over
 * asks the other, which finishes pending writes (`settled`) before it releases the lock. In browsers without locks
 * every tab counts as the only one.
 */
export function useOneTab(form: FormKey, settled: () => Promise<void>): { elsewhere: boolean; takeOver: () => void } {
  const [elsewhere, setElsewhere] = useState(false);
  const [attempts, setAttempts] = useState(0);

  useEffect(() => {
    if (!navigator.locks) return;
    const name = `festival-form-${form}`;
    const channel = new BroadcastChannel(name);
    const waiting = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let release = () => {};
    let gone = false;
    const held = new Promise<void>((done) => {
      release = done;
    });
    const hold = async (lock: Lock | null) => {
      clearTimeout(timer);
      if (gone) return;
      setElsewhere(lock === null);
      if (lock) await held;
    };
    const lost = () => gone || setElsewhere(true);
    const steal = () => {
      waiting.abort();
      navigator.locks.request(name, { steal: true }, hold).catch(lost);
    };
    channel.onmessage = () => {
      gone = true;
      clearTimeout(timer);
      setElsewhere(true);
      void settled().then(release);
    };
    if (attempts === 0) {
      navigator.locks.request(name, { ifAvailable: true }, hold).catch(lost);
    } else {
      channel.postMessage('may I go on?');
      timer = setTimeout(steal, patienceMs);
      navigator.locks.request(name, { signal: waiting.signal }, hold).catch(() => waiting.signal.aborted || lost());
    }
    return () => {
      gone = true;
      clearTimeout(timer);
      waiting.abort();
      channel.close();
      release();
    };
  }, [form, attempts, settled]);

  const takeOver = useCallback(() => setAttempts((count) => count + 1), []);
  return { elsewhere, takeOver };
}
