import { extraFields, type FormDescription, texts } from '@/shared/api/generated/forms';
import type { FormRules } from '@/shared/api/generated/forms-api';
import { toast } from '@/shared/ui/toast';
import type { DraftState } from '../hooks/use-draft';
import type { Endings } from '../hooks/use-public-form';
import type { SendingWork } from '../hooks/use-sending';
import { findProblems, type Strictness } from './checks';
import type { ChosenFile } from './chosen-file';
import type { Problem, Values } from './entries';
import type { FileUploads } from './file-uploads';
import { inputId, readValues, textIn } from './form-element';
import { receiptOf } from './make-receipt';
import { bodyOf, textPairs } from './payload';
import { paymentCode } from './payment-code';
import type { Receipt } from './receipt';
import { type Answer, send } from './send';
import { hasLostFiles, isDifferentFromAnEarlierOne, isRefusal, type Trouble, troubleOf } from './trouble';

/** A form to send, and the callbacks that report the outcome to its page. */
interface FormToSend {
  form: FormDescription;
  inputs: HTMLFormElement;
  /** Path to which the form is sent. */
  url: string;
  /** The heading of its page. */
  title: string;
  draft: DraftState;
  uploads: FileUploads | null;
  /** The chosen files, up to date between renders. */
  files: { current: Record<string, ChosenFile> };
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
  const { form, inputs, draft, files, busy, endings } = state;
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
  files.current = draft.files;
  const answer = await state.run(sendingWork(state, values, textIn(new FormData(inputs), extraFields.trap)));
  busy.current = false;
  if (answer.kind === 'accepted') {
    const code = form.fee === 'none' ? '' : paymentCode(draft.keeper.draft.seed);
    const receipt = receiptOf(form, state.title, { values, files: files.current, code }, state.rules, answer);
    state.onReceipt(receipt);
    endings.accepted(answer, receipt);
    void draft.clear();
    state.uploads?.clear();
    return;
  }
  if (isDifferentFromAnEarlierOne(answer)) draft.keeper.renewKey();
  else if (isRefusal(answer)) draft.keeper.refuse();
  // A refused file has its message at its field.
  if (answer.kind === 'refused' && !answer.explained && answer.status === 422 && answer.problems.length === 0) {
    toast('error', texts.failure, texts.toast_ms);
    return;
  }
  const trouble = troubleOf(answer);
  state.onTrouble(trouble);
  state.onProblems(trouble.problems.filter(({ name }) => document.getElementById(inputId(name))));
  console.error('A form was not accepted:', form.api_path, trouble.message, answer);
  endings.failed(trouble);
}

/**
 * Uploads missing files, then sends the form, which references the files on the server. `trap` is the content of the
 * trap field.
 */
function sendingWork(
  { form, url, draft, uploads, files, notice }: FormToSend,
  values: Values,
  trap: string,
): SendingWork {
  const { keeper } = draft;
  return async (onProgress, signal) => {
    const finished = await uploads?.finish(onProgress, signal);
    if (finished === 'lost') return { kind: 'lost' };
    if (finished === 'refused') return { kind: 'refused', status: 422, explained: false, message: '', problems: [] };
    const pairs = textPairs(form, values, {
      trap,
      elapsed: keeper.elapsed(),
      notice,
      code: paymentCode(keeper.draft.seed),
    });
    const once = () => {
      const { tickets, contents } = splitFiles(files.current);
      const headers: Record<string, string> = { 'Idempotency-Key': keeper.key };
      if (tickets) headers['Staged-Files'] = tickets;
      return send(url, bodyOf(form, pairs, contents), { headers, onProgress, signal });
    };
    const answer = await once();
    if (!hasLostFiles(answer)) return answer;
    // The server has deleted them after their time limit. Files that the device still has are sent with the form.
    for (const [name, { content, ticket }] of Object.entries(files.current)) {
      if (!ticket) continue;
      draft.setTicket(name, null);
      files.current = { ...files.current, [name]: { ...(files.current[name] as ChosenFile), ticket: null } };
      if (!content) draft.setFile(name, null);
    }
    const gone = Object.entries(files.current).filter(([, { content }]) => !content);
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
