import { useApi } from '@/shared/api';
import type { FormKey } from '@/shared/api/generated/forms';
import { useHydrated } from '@/shared/use-hydrated';
import type { Strictness } from '../model/checks';

/** `/forms/`: when the forms close, and how strict they are. */
interface FormRules {
  hard_word_limits: boolean;
  require_consent: boolean;
  forms: { key: string; closes_at: string | null }[];
}

/** What organisers decided about a form. The server has the last word; this spares people a vain effort. */
export function useFormRules(form: FormKey): { strict: Strictness; closed: boolean } {
  const { data } = useApi<FormRules | undefined>('/forms/');
  // The template does not compute.
  const rules = useHydrated() ? data : undefined;
  const closesAt = rules?.forms.find(({ key }) => key === form)?.closes_at;
  return {
    strict: { consent: rules?.require_consent ?? false, words: rules?.hard_word_limits ?? false },
    closed: closesAt ? hasPassed(closesAt) : false,
  };
}

function hasPassed(moment: string): boolean {
  return Date.parse(moment) < Date.now();
}
