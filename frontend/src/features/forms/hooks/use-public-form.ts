import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type FormDescription, texts } from '@/shared/api/generated/forms';
import type { FormRules } from '@/shared/api/generated/forms-api';
import { toast } from '@/shared/ui/toast';
import type { Strictness } from '../model/checks';
import type { ChosenFile } from '../model/chosen-file';
import type { Problem } from '../model/entries';
import type { FileUploads } from '../model/file-uploads';
import { inputId, readTrap, readValues, unreadable } from '../model/form-element';
import { loadTools } from '../model/load-tools';
import type { Receipt } from '../model/receipt';
import type { Answer } from '../model/send';
import type { Trouble } from '../model/trouble';
import { useDraft } from './use-draft';
import { useFormTools } from './use-form-tools';
import { useSending } from './use-sending';
import { useUploads } from './use-uploads';

/** What a form does after the server's answer, where it differs from form to form. */
export interface Endings {
  /** Something was entered: the form may be sent soon. */
  begun?: () => void;
  accepted: (answer: Extract<Answer, { kind: 'accepted' }>, receipt: Receipt) => void;
  failed: (trouble: Trouble) => void;
  /** The page stays, and the form can be filled in anew. */
  stays?: true;
}

/** Everything that a public form does, from the first letter to the answer. */
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
    /** The version of the notice on personal data; empty: it is not known. */
    notice: string;
  },
) {
  const tools = useFormTools();
  const uploader = useRef<FileUploads | null>(null);
  // Files that came back and never reached the server go on.
  const resume = useCallback((files: Record<string, ChosenFile>) => {
    for (const [name, { content, ticket }] of Object.entries(files)) {
      if (content && !ticket) uploader.current?.add(name, content);
    }
  }, []);
  const draft = useDraft(form, element, resume);
  const sending = useSending(form);
  const [problems, setProblems] = useState<Problem[]>([]);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  /** The problem that gets the focus. */
  const [attention, setAttention] = useState<Problem | null>(null);
  const busy = useRef(false);
  const files = useRef(draft.files);
  useEffect(() => {
    files.current = draft.files;
  });

  const settle = (name: string) => setProblems((all) => all.filter((problem) => problem.name !== name));
  const complain = (name: string, message: string) =>
    setProblems((all) => [...all.filter((problem) => problem.name !== name), { name, message }]);

  const { uploads, states } = useUploads(form, {
    onStored: (name, { name: fileName, size, type }, ticket) => {
      const stored = { ticket, name: fileName, size, type };
      // A form that is being sent reads it before the page is drawn anew.
      const file = files.current[name];
      if (file) files.current = { ...files.current, [name]: { ...file, ticket: stored } };
      draft.setTicket(name, stored);
    },
    onRefused: (name, file, message) => {
      draft.setFile(name, null);
      const words = message.includes(file.name) ? message : `“${file.name}”: ${message}`;
      toast('error', message, texts.toast_ms);
      complain(name, words);
    },
  });
  useEffect(() => {
    uploader.current = uploads;
    // Those that were there before what uploads them.
    resume(files.current);
  }, [uploads, resume]);

  const onInput = (name: string) => {
    endings.begun?.();
    settle(name);
    draft.changed();
  };

  const chooseFile = async (name: string, file: File) => {
    endings.begun?.();
    const field = form.fields.find((field) => field.name === name);
    if (!field) return;
    const { refusalOf } = await loadTools();
    try {
      const refusal = await refusalOf(field, file);
      if (refusal) {
        toast('error', refusal.toast, texts.toast_ms);
        complain(name, refusal.message);
        return;
      }
      // A copy: the file on the device may change or go before it is sent.
      const copy = new File([await file.arrayBuffer()], file.name, { type: file.type });
      draft.setFile(name, copy);
      settle(name);
      uploader.current?.add(name, copy);
    } catch {
      complain(name, `“${file.name}” could not be read. Please choose it again.`);
    }
  };

  const removeFile = (name: string) => {
    uploads?.remove(name);
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
    const { keeper } = draft;
    if (!inputs || !tools || busy.current || draft.tab.elsewhere) return;
    const values = readValues(inputs, form);
    const entries = { values, chosen: new Set(Object.keys(draft.files)), unreadable: unreadable(inputs) };
    const found = tools.findProblems(form, entries, strict);
    setTrouble(null);
    show(found);
    if (found[0]) {
      toast('error', found[0].message, texts.toast_ms);
      return;
    }
    busy.current = true;
    endings.begun?.();
    files.current = draft.files;
    const answer = await sending.submit(
      tools.sendingWork(
        { form, keeper, draft, uploads, files, notice, sendForm: sending.sendForm },
        values,
        readTrap(inputs),
      ),
    );
    busy.current = false;
    if (answer.kind === 'accepted') {
      const made = tools.receiptOf(form, title, { values, files: files.current }, rules, answer);
      setReceipt(made);
      endings.accepted(answer, made);
      void draft.clear();
      uploads?.clear();
      if (endings.stays) sending.setPhase('editing');
      return;
    }
    if (tools.isDifferentFromAnEarlierOne(answer)) keeper.renewKey();
    else if (tools.isRefusal(answer)) keeper.refuse();
    // A file that was refused has said so at its field.
    if (answer.kind === 'refused' && !answer.said && answer.status === 422 && answer.problems.length === 0) {
      toast('error', texts.failure, texts.toast_ms);
      return;
    }
    const trouble = tools.troubleOf(answer);
    setTrouble(trouble);
    show(trouble.problems.filter(({ name }) => document.getElementById(inputId(name))));
    console.error('A form was not taken:', form.api_path, trouble.message, answer);
    endings.failed(trouble);
  };

  const clear = () => {
    setProblems([]);
    setTrouble(null);
    uploads?.clear();
    void draft.clear();
  };

  return {
    ...draft,
    ...sending,
    /** What it takes to send is there. */
    able: tools !== null,
    uploads: states,
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
