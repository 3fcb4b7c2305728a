import { useEffect, useState } from 'react';
import { useApi } from '@/shared/api';
import { useFirstPage } from '@/shared/api/boot';
import type { FormRules, FormTimes, Notice } from '@/shared/api/generated/api';
import type { FormKey } from '@/shared/api/generated/forms';
import type { Strictness } from '../model/checks';
import type { Closing } from '../model/closing';
import { loadTools } from '../model/load-tools';

/** Rules that organisers set for a form. The server has the last word; this spares people wasted effort. */
export function useFormRules(form: FormKey): {
  rules: FormRules | undefined;
  strict: Strictness;
  closing: Closing;
  /** The notice to agree to. */
  notice: Notice | undefined;
} {
  const { data: rules } = useApi<FormRules>('/forms/');
  const closing = useClosing(rules?.forms.find(({ key }) => key === form));
  return {
    rules,
    strict: { wordLimits: rules?.hard_word_limits ?? false, consentBox: rules?.consent === 'tick' },
    closing,
    notice: rules?.notices.find(({ forms }) => forms.includes(form)),
  };
}

/**
 * Events when a user begins to fill in a form. Presses count when they end: a notice that appears moves everything
 * below it.
 */
const TOUCHES = ['click', 'keydown', 'input'] as const;

/**
 * The state of a form relative to its deadline: first as sent with the page, then by the server's clock. Merely viewing
 * the page makes no request.
 */
function useClosing(times: FormTimes | undefined): Closing {
  const { boot } = useFirstPage();
  const [closing, setClosing] = useState<Closing | null>(null);

  useEffect(() => {
    if (!times?.late_after) return;
    let gone = false;
    let stop = () => {};
    const begin = async () => {
      for (const touch of TOUCHES) removeEventListener(touch, begin);
      const { watchClosing } = await loadTools();
      if (!gone) stop = watchClosing(boot.api, times, setClosing);
    };
    for (const touch of TOUCHES) addEventListener(touch, begin);
    return () => {
      gone = true;
      for (const touch of TOUCHES) removeEventListener(touch, begin);
      stop();
      setClosing(null);
    };
  }, [times, boot]);

  return closing ?? firstClosing(times);
}

/** The state of a form as sent with the page. */
function firstClosing(times: FormTimes | undefined): Closing {
  if (!times?.late_after) return { kind: 'open', text: '', left: '', soon: false };
  const { standing, late_after_text: text } = times;
  return standing === 'open' ? { kind: 'open', text, left: '', soon: false } : { kind: standing, text };
}
