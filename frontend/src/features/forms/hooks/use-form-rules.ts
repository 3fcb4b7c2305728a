import { useEffect, useState } from 'react';
import { useApi } from '@/shared/api';
import { useFirstPage } from '@/shared/api/boot';
import type { FormKey } from '@/shared/api/generated/forms';
import type { FormRules, FormTimes, Notice } from '@/shared/api/generated/forms-api';
import type { Strictness } from '../model/checks';
import { type Closing, closingOf } from '../model/closing';
import { readServerClock, serverNow } from '../model/server-clock';

/** What organisers decided about a form. The server has the last word; this spares people a vain effort. */
export function useFormRules(form: FormKey): {
  rules: FormRules | undefined;
  strict: Strictness;
  closing: Closing;
  /** What one agrees to. */
  notice: Notice | undefined;
} {
  const { data: rules } = useApi<FormRules>('/forms/');
  const closing = useClosing(rules?.forms.find(({ key }) => key === form));
  return {
    rules,
    strict: { words: rules?.hard_word_limits ?? false },
    closing,
    notice: rules?.notices.find(({ forms }) => forms.includes(form)),
  };
}

/** What somebody does who begins to fill in a form. A press must have ended: a notice that appears moves what is below it. */
const TOUCHES = ['click', 'keydown', 'input'] as const;

/** How often the time left is told anew, in milliseconds. */
const TICK_MS = 1_000;

/** How a form stands towards its deadline, by the server's clock. */
export function useClosing(times: FormTimes | undefined): Closing {
  const { boot } = useFirstPage();
  const [now, setNow] = useState<number | null>(null);
  const timed = Boolean(times?.late_after);

  useEffect(() => {
    if (!timed) return;
    let tick: ReturnType<typeof setInterval> | undefined;
    const read = () => {
      if (document.visibilityState === 'hidden') return;
      // Some devices stop every clock of a page while they sleep.
      readServerClock(boot.api).then(
        () => setNow(serverNow()),
        () => {},
      );
    };
    // Whoever only looks at the page asks the server for nothing.
    const begin = () => {
      for (const touch of TOUCHES) removeEventListener(touch, begin);
      read();
      tick = setInterval(() => setNow(serverNow()), TICK_MS);
      document.addEventListener('visibilitychange', read);
    };
    for (const touch of TOUCHES) addEventListener(touch, begin);
    return () => {
      for (const touch of TOUCHES) removeEventListener(touch, begin);
      clearInterval(tick);
      document.removeEventListener('visibilitychange', read);
    };
  }, [timed, boot]);

  return closingOf(times, now);
}
