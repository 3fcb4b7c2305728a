import { type RefObject, useEffect, useRef, useState } from 'react';
import { type FormDescription, texts } from '@/shared/api/generated/forms';
import { prepareToasts, toast } from '@/shared/ui/toast';
import { findProblems, type Problem, type Strictness } from '../model/checks';
import { refusalOf } from '../model/file-check';
import { inputId, readTrap, readValues, unreadable } from '../model/form-element';
import { bodyOf, textPairs } from '../model/payload';
import type { Answer } from '../model/send';
import { useDraft } from './use-draft';
import { isDifferentFromAnEarlierOne, isRefusal, type Trouble, troubleOf, useSending } from './use-sending';

/** What a form does after the server's answer, where it differs from form to form. */
export interface Endings {
  accepted: (answer: Extract<Answer, { kind: 'accepted' }>) => void;
  failed: (trouble: Trouble) => void;
  /** The page stays, and the form can be filled in anew. */
  stays?: true;
}

/** Everything that a public form does, from the first letter to the answer. */
export function usePublicForm(
  form: FormDescription,
  element: RefObject<HTMLFormElement | null>,
  endings: Endings,
  strict: Strictness,
) {
  const draft = useDraft(form, element);
  const sending = useSending(form);
  const [problems, setProblems] = useState<Problem[]>([]);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  /** The problem that gets the focus. */
  const [attention, setAttention] = useState<Problem | null>(null);
  const busy = useRef(false);

  useEffect(prepareToasts, []);

  const settle = (name: string) => setProblems((all) => all.filter((problem) => problem.name !== name));

  const onInput = (name: string) => {
    settle(name);
    draft.changed();
  };

  const chooseFile = async (name: string, file: File) => {
    const field = form.fields.find((field) => field.name === name);
    if (!field) return;
    try {
      const refusal = await refusalOf(field, file);
      if (refusal) {
        toast('error', refusal.toast, texts.toast_ms);
        setProblems((all) => [...all.filter((problem) => problem.name !== name), { name, message: refusal.message }]);
        return;
      }
      // A copy: the file on the device may change or go before it is sent.
      draft.setFile(name, new File([await file.arrayBuffer()], file.name, { type: file.type }));
      settle(name);
    } catch {
      const message = `“${file.name}” could not be read. Please choose it again.`;
      setProblems((all) => [...all.filter((problem) => problem.name !== name), { name, message }]);
    }
  };

  const removeFile = (name: string) => {
    draft.setFile(name, null);
    document.getElementById(inputId(name))?.focus();
  };

  const show = (found: Problem[]) => {
    setProblems(found);
    setAttention(found[0] ?? null);
  };

  // After the inputs can be reached again.
  useEffect(() => {
    if (attention) document.getElementById(inputId(attention.name))?.focus();
  }, [attention]);

  const submit = async () => {
    const inputs = element.current;
    if (!inputs || busy.current || draft.tab.elsewhere) return;
    const values = readValues(inputs, form);
    const entries = { values, chosen: new Set(Object.keys(draft.files)), unreadable: unreadable(inputs) };
    const found = findProblems(form, entries, strict);
    setTrouble(null);
    show(found);
    if (found[0]) {
      toast('error', found[0].message, texts.toast_ms);
      return;
    }
    busy.current = true;
    const pairs = textPairs(form, values, { trap: readTrap(inputs), elapsed: draft.keeper.elapsed() });
    const answer = await sending.submit(bodyOf(form, pairs, draft.files), draft.keeper.key);
    busy.current = false;
    if (answer.kind === 'accepted') {
      endings.accepted(answer);
      void draft.clear();
      if (endings.stays) sending.setPhase('editing');
      return;
    }
    if (isDifferentFromAnEarlierOne(answer)) draft.keeper.renewKey();
    else if (isRefusal(answer)) draft.keeper.refuse();
    const trouble = troubleOf(answer);
    setTrouble(trouble);
    show(trouble.problems.filter(({ name }) => document.getElementById(inputId(name))));
    endings.failed(trouble);
  };

  const clear = () => {
    setProblems([]);
    setTrouble(null);
    void draft.clear();
  };

  return { ...draft, ...sending, problems, trouble, onInput, chooseFile, removeFile, submit, clear };
}
