import { useEffect, useState } from 'react';
import { useApi } from '@/shared/api';
import { useFirstPage } from '@/shared/api/boot';
import type { FormKey } from '@/shared/api/generated/forms';
import type { FormRules, FormTimes, Notice } from '@/shared/api/generated/forms-api';
import type { Strictness } from '../model/checks';
import type { Closing } from '../model/closing';
import { loadTools } from '../model/load-tools';

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
    strict: { wordLimits: rules?.hard_word_limits ?? false },
    closing,
    notice: rules?.notices.find(({ forms }) => forms.includes(form)),
  };
}

/** What somebody does who begins to fill in a form. A press must have ended: a notice that appears moves what is below it. */
const TOUCHES = ['click', 'keydown', 'input'] as const;

/**
 * How a form stands towards its deadline: as the server said with the page, then by its clock. Whoever only looks at the
 * page asks the server for nothing.
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

/** How a form stands as the server said with the page. */
function firstClosing(times: FormTimes | undefined): Closing {
  if (!times?.late_after) return { kind: 'open', text: '', left: '', soon: false };
  const { standing, late_after_text: text } = times;
  return standing === 'open' ? { kind: 'open', text, left: '', soon: false } : { kind: standing, text };
}
