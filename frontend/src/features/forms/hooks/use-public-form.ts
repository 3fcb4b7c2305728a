import { type RefObject, useEffect, useRef, useState } from 'react';
import { useFirstPage } from '@/shared/api/boot';
import type { FormRules } from '@/shared/api/generated/api';
import { type FormDescription, texts } from '@/shared/api/generated/forms';
import { toast } from '@/shared/ui/toast';
import type { Strictness } from '../model/checks';
import type { Problem } from '../model/entries';
import { inputId } from '../model/form-element';
import { loadTools, useFormTools } from '../model/load-tools';
import type { Receipt } from '../model/receipt';
import type { Answer } from '../model/send';
import type { Trouble } from '../model/trouble';
import { useDraft } from './use-draft';
import { useSending } from './use-sending';

/** What a form does after the server's response, if it differs between forms. */
export interface Endings {
  /** Called after an entry: the form may be sent soon. */
  begun?: () => void;
  accepted: (answer: Extract<Answer, { kind: 'accepted' }>, receipt: Receipt) => void;
  failed: (trouble: Trouble) => void;
  /** The page stays, and the form can be filled in again. */
  stays?: true;
}

/** Everything that a public form does, from the first letter to the response. */
export function usePublicForm(
  form: FormDescription,
  element: RefObject<HTMLFormElement | null>,
  {
    endings,
    strict,
    rules,
    title,
    notice,
  }: {
    endings: Endings;
    strict: Strictness;
    rules: FormRules | undefined;
    title: string;
    /** The version of the notice on personal data; empty if unknown. */
    notice: string;
  },
) {
  const { boot } = useFirstPage();
  const tools = useFormTools();
  const draft = useDraft(form, element);
  const sending = useSending(endings.stays);
  const [problems, setProblems] = useState<Problem[]>([]);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  /** The problem that gets the focus. */
  const [attention, setAttention] = useState<Problem | null>(null);
  const busy = useRef(false);

  const settle = (name: string) => setProblems((all) => all.filter((problem) => problem.name !== name));
  const complain = (name: string, message: string) =>
    setProblems((all) => [...all.filter((problem) => problem.name !== name), { name, message }]);

  const onInput = (name: string) => {
    endings.begun?.();
    settle(name);
    draft.changed();
  };

  const chooseFile = async (name: string, file: File) => {
    endings.begun?.();
    const field = form.fields.find((field) => field.name === name);
    if (!field) return;
    const { checkedCopy } = await loadTools();
    const copy = await checkedCopy(field, file);
    if (copy instanceof File) {
      draft.setFile(name, copy);
      settle(name);
    } else {
      if (copy.toast) toast('error', copy.toast, texts.toast_ms);
      complain(name, copy.message);
    }
  };

  const removeFile = (name: string) => {
    draft.setFile(name, null);
    document.getElementById(inputId(name))?.focus();
  };

  const show = (problems: Problem[]) => {
    setProblems(problems);
    setAttention(problems[0] ?? null);
  };

  // After the inputs are enabled again.
  useEffect(() => {
    if (attention) document.getElementById(inputId(attention.name))?.focus();
  }, [attention]);

  const submit = async () => {
    const inputs = element.current;
    if (!inputs || !tools || busy.current || draft.tab.elsewhere) return;
    await tools.submitForm({
      form,
      inputs,
      api: boot.api,
      title,
      draft,
      strict,
      rules,
      notice,
      busy,
      endings,
      run: sending.run,
      onProblems: show,
      onTrouble: setTrouble,
      onReceipt: setReceipt,
    });
  };

  const clear = () => {
    setProblems([]);
    setTrouble(null);
    void draft.clear();
  };

  return {
    ...draft,
    ...sending,
    tools,
    problems,
    trouble,
    receipt,
    onInput,
    chooseFile,
    removeFile,
    submit,
    clear,
  };
}
