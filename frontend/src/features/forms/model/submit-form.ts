import type { FormRules } from '@/shared/api/generated/api';
import { extraFields, type FormDescription, texts } from '@/shared/api/generated/forms';
import { toast } from '@/shared/ui/toast';
import type { DraftState } from '../hooks/use-draft';
import type { Endings } from '../hooks/use-public-form';
import type { SendingWork } from '../hooks/use-sending';
import { findProblems, type Strictness } from './checks';
import type { ChosenFile, Ticket } from './chosen-file';
import type { Problem, Values } from './entries';
import { uploadFiles } from './file-uploads';
import { inputId, readValues, textIn } from './form-element';
import { receiptOf } from './make-receipt';
import { bodyOf, textPairs } from './payload';
import { paymentCode } from './payment-code';
import type { Receipt } from './receipt';
import { type Answer, send } from './send';
import {
  hasLostFiles,
  isDifferentFromAnEarlierOne,
  isInterruption,
  isRefusal,
  type Trouble,
  troubleOf,
} from './trouble';

/** A form to send, and the callbacks that report the outcome to its page. */
interface FormToSend {
  form: FormDescription;
  inputs: HTMLFormElement;
  /** The address of the API. */
  api: string;
  /** The heading of its page. */
  title: string;
  draft: DraftState;
  strict: Strictness;
  rules: FormRules | undefined;
  /** The version of the notice on personal data. */
  notice: string;
  /** Whether the form is being sent, to prevent sending it twice. */
  busy: { current: boolean };
  endings: Endings;
  run: (work: SendingWork) => Promise<Answer>;
  onProblems: (problems: Problem[]) => void;
  onTrouble: (trouble: Trouble | null) => void;
  onReceipt: (receipt: Receipt) => void;
}

/** Checks a form, sends it, and reports the outcome. */
export async function submitForm(state: FormToSend): Promise<void> {
  const { form, inputs, draft, busy, endings } = state;
  const values = readValues(inputs, form);
  const entries = { values, chosen: new Set(Object.keys(draft.files)), unreadable: unreadable(inputs) };
  const problems = findProblems(form, entries, state.strict);
  state.onTrouble(null);
  state.onProblems(problems);
  if (problems[0]) {
    toast('error', problems[0].message, texts.toast_ms);
    return;
  }
  busy.current = true;
  endings.begun?.();
  const answer = await state.run(sendingWork(state, values, textIn(new FormData(inputs), extraFields.trap)));
  busy.current = false;
  if (answer.kind === 'accepted') {
    const code = form.fee === 'none' ? '' : paymentCode(draft.keeper.draft.seed);
    const receipt = receiptOf(form, state.title, { values, files: draft.files, code }, state.rules, answer);
    state.onReceipt(receipt);
    endings.accepted(answer, receipt);
    void draft.clear();
    return;
  }
  if (isDifferentFromAnEarlierOne(answer)) draft.keeper.renewKey();
  else if (isRefusal(answer)) draft.keeper.refuse();
  const trouble = troubleOf(answer, form.files_path !== '');
  state.onTrouble(trouble);
  state.onProblems(trouble.problems.filter(({ name }) => document.getElementById(inputId(name))));
  console.error('A form was not accepted:', form.api_path, trouble.message, answer);
  endings.failed(trouble);
}

/**
 * Sends the form with all its files in one request. If that was interrupted before, the files go one by one first, and
 * the form refers to them. `trap` is the content of the trap field.
 */
function sendingWork({ form, api, draft, notice }: FormToSend, values: Values, trap: string): SendingWork {
  const { keeper } = draft;
  let { files } = draft;
  const setTicket = (name: string, ticket: Ticket | null) => {
    draft.setTicket(name, ticket);
    files = { ...files, [name]: { ...(files[name] as ChosenFile), ticket } };
  };
  return async (onProgress, signal) => {
    if (form.files_path && keeper.draft.interrupted) {
      const onStored = (name: string, { name: fileName, size, type }: File, ticket: string) =>
        setTicket(name, { ticket, name: fileName, size, type });
      const { contents } = splitFiles(files);
      const inOrder = form.fields.flatMap(({ name }): [string, File][] => {
        const content = contents[name];
        return content ? [[name, content]] : [];
      });
      const failed = await uploadFiles(api + form.files_path, inOrder, onStored, { onProgress, signal });
      if (failed) return failed;
    }
    const pairs = textPairs(form, values, {
      trap,
      elapsed: keeper.elapsed(),
      notice,
      code: paymentCode(keeper.draft.seed),
    });
    const once = async () => {
      const { tickets, contents } = splitFiles(files);
      const headers: Record<string, string> = { 'Idempotency-Key': keeper.key };
      if (tickets) headers['Staged-Files'] = tickets;
      // If the page is closed meanwhile, it was interrupted.
      keeper.changeInterrupted(true);
      const answer = await send(api + form.api_path, bodyOf(form, pairs, contents), { headers, onProgress, signal });
      keeper.changeInterrupted(isInterruption(answer));
      return answer;
    };
    const answer = await once();
    if (!hasLostFiles(answer)) return answer;
    // The server has deleted them after their time limit. Files that the device still has are sent with the form.
    for (const [name, { content, ticket }] of Object.entries(files)) {
      if (!ticket) continue;
      setTicket(name, null);
      if (!content) draft.setFile(name, null);
    }
    const gone = Object.entries(files).filter(([, { content }]) => !content);
    if (gone.length === 0) return once();
    const problems = gone.map(([name, file]) => ({ name, message: `Please choose “${file.name}” again.` }));
    return { kind: 'refused', status: 422, explained: true, message: 'Some files are not kept any more.', problems };
  };
}

/** The tickets of uploaded files, as a header value, and the content of the others. */
function splitFiles(files: Record<string, ChosenFile>): { tickets: string; contents: Record<string, File> } {
  const tickets: string[] = [];
  const contents: Record<string, File> = {};
  for (const [name, { ticket, content }] of Object.entries(files)) {
    if (ticket) tickets.push(`${name}=${ticket.ticket}`);
    else if (content) contents[name] = content;
  }
  return { tickets: tickets.join(', '), contents };
}

/** The inputs with content that the browser cannot parse, such as letters in a number. */
function unreadable(element: HTMLFormElement): Set<string> {
  const inputs = [...element.elements].filter((input) => input instanceof HTMLInputElement);
  return new Set(inputs.filter((input) => input.validity.badInput).map(({ name }) => name));
}
