import type { FormField } from '@/shared/api/generated/forms';
import { inputId, isTextInput } from '../model/form-element';
import { useSecondLanguage } from '../model/second-language';

/** The attributes that connect an input to its label, hint and error message, which may be in two languages. */
export function useInputAttributes(field: FormField, problem: string) {
  const second = useSecondLanguage();
  const id = inputId(field.name);
  const described = [
    field.hint ? `${id}-hint` : '',
    field.words > 0 ? `${id}-words` : '',
    isTextInput(field) ? `${id}-note` : '',
    problem && second ? `${id}-second-problem` : '',
    problem ? `${id}-problem` : '',
  ];
  return {
    'aria-required': field.required,
    'aria-invalid': problem !== '',
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
  };
}
