import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useFirstPage } from '@/shared/api/boot';
import { type FormDescription, texts } from '@/shared/api/generated/forms';
import type { FormRules } from '@/shared/api/generated/forms-api';
import { toast } from '@/shared/ui/toast';
import type { Strictness } from '../model/checks';
import type { ChosenFile } from '../model/chosen-file';
import type { Problem } from '../model/entries';
import type { FileUploads } from '../model/file-uploads';
import { inputId } from '../model/form-element';
import { loadTools, useFormTools } from '../model/load-tools';
import type { Receipt } from '../model/receipt';
import type { Answer } from '../model/send';
import type { Trouble } from '../model/trouble';
import { useDraft } from './use-draft';
import { useSending } from './use-sending';
import { useUploads } from './use-uploads';

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
  const uploader = useRef<FileUploads | null>(null);
  // Continues uploads of restored files that never reached the server.
  const resume = useCallback((files: Record<string, ChosenFile>) => {
    for (const [name, { content, ticket }] of Object.entries(files)) {
      if (content && !ticket) uploader.current?.add(name, content);
    }
  }, []);
  const draft = useDraft(form, element, resume);
  const sending = useSending(endings.stays);
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
      // Sending reads it before the next render.
      const file = files.current[name];
      if (file) files.current = { ...files.current, [name]: { ...file, ticket: stored } };
      draft.setTicket(name, stored);
    },
    onRefused: (name, file, message) => {
      draft.setFile(name, null);
      const problem = message.includes(file.name) ? message : `“${file.name}”: ${message}`;
      toast('error', message, texts.toast_ms);
      complain(name, problem);
    },
  });
  useEffect(() => {
    uploader.current = uploads;
    // Files chosen before the upload code was loaded.
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
    const { checkedCopy } = await loadTools();
    const copy = await checkedCopy(field, file);
    if (copy instanceof File) {
      draft.setFile(name, copy);
      settle(name);
      uploader.current?.add(name, copy);
    } else {
      if (copy.toast) toast('error', copy.toast, texts.toast_ms);
      complain(name, copy.message);
    }
  };

  const removeFile = (name: string) => {
    uploads?.remove(name);
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
      url: `${boot.api}${form.api_path}`,
      title,
      draft,
      uploads,
      files,
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
    uploads?.clear();
    void draft.clear();
  };

  return {
    ...draft,
    ...sending,
    tools,
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
