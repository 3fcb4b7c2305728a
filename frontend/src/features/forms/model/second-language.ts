import { createContext, useContext } from 'react';
import { missing, tooLarge } from '@/shared/api/form-problems';
import { checkTexts } from '@/shared/api/generated/form-checks';
import type { FormField } from '@/shared/api/generated/forms';

/** A form's texts in a second language, which stand before the English ones. */
export interface SecondLanguage {
  lang: string;
  /** By the name of the field. */
  fields: Record<string, { label: string; hint?: string }>;
  /** By the English title of the part; as many lines of text as in English. */
  sections: Record<string, { title: string; text: string[] }>;
  problems: { missing: string; email: string; link: string; size: string; otherFile: string; other: string };
}

/** The second language of the form around a component; null if it has none. */
export const SecondLanguageContext = createContext<SecondLanguage | null>(null);

/** The second language of the form. */
export function useSecondLanguage(): SecondLanguage | null {
  return useContext(SecondLanguageContext);
}

/** What an English error of a field says, in the second language. */
export function secondProblem({ problems }: SecondLanguage, field: FormField, problem: string): string {
  if (problem === missing(field.name)) return problems.missing;
  if (problem === checkTexts.not_an_email) return problems.email;
  if (problem === checkTexts.link_runs) return problems.link;
  if (field.kind !== 'file') return problems.other;
  return problem === tooLarge(field.name) || / has .* less than /.test(problem) ? problems.size : problems.otherFile;
}
