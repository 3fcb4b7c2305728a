import type { FormDescription } from '@/shared/api/generated/forms';
import type { DraftState } from '../hooks/use-draft';
import type { SendingWork, useSending } from '../hooks/use-sending';
import type { ChosenFile } from './chosen-file';
import type { DraftKeeper } from './draft-keeper';
import type { Values } from './entries';
import type { FileUploads } from './file-uploads';
import { bodyOf, textPairs } from './payload';
import { hasLostFiles } from './trouble';

/** What one sending needs of its form. */
interface FormToSend {
  form: FormDescription;
  keeper: DraftKeeper;
  draft: Pick<DraftState, 'setFile' | 'setTicket'>;
  uploads: FileUploads | null;
  /** The chosen files, also while the page is not drawn anew. */
  files: { current: Record<string, ChosenFile> };
  /** The version of the notice on personal data. */
  notice: string;
  sendForm: ReturnType<typeof useSending>['sendForm'];
}

/** Uploads what is missing, then sends the form, which names what the server has. `trap` is what machines filled in. */
export function sendingWork(
  { form, keeper, draft, uploads, files, notice, sendForm }: FormToSend,
  values: Values,
  trap: string,
): SendingWork {
  return async (onProgress, signal) => {
    const finished = await uploads?.finish(onProgress, signal);
    if (finished === 'lost') return { kind: 'lost' };
    if (finished === 'refused') return { kind: 'refused', status: 422, said: false, message: '', problems: [] };
    const pairs = textPairs(form, values, { trap, elapsed: keeper.elapsed(), notice });
    const once = () => {
      const { tickets, contents } = partsOf(files.current);
      const headers: Record<string, string> = { 'Idempotency-Key': keeper.key };
      if (tickets) headers['Staged-Files'] = tickets;
      return sendForm(bodyOf(form, pairs, contents), headers, onProgress, signal);
    };
    const answer = await once();
    if (!hasLostFiles(answer)) return answer;
    // They waited too long there. What the device still has goes with the form.
    for (const [name, { content, ticket }] of Object.entries(files.current)) {
      if (!ticket) continue;
      draft.setTicket(name, null);
      files.current = { ...files.current, [name]: { ...(files.current[name] as ChosenFile), ticket: null } };
      if (!content) draft.setFile(name, null);
    }
    const gone = Object.entries(files.current).filter(([, { content }]) => !content);
    if (gone.length === 0) return once();
    const problems = gone.map(([name, file]) => ({ name, message: `Please choose “${file.name}” again.` }));
    return { kind: 'refused', status: 422, said: true, message: 'Some files are not kept any more.', problems };
  };
}

/** The tickets of the files that the server has, as a header names them, and the content of the others. */
function partsOf(files: Record<string, ChosenFile>): { tickets: string; contents: Record<string, File> } {
  const tickets: string[] = [];
  const contents: Record<string, File> = {};
  for (const [name, { ticket, content }] of Object.entries(files)) {
    if (ticket) tickets.push(`${name}=${ticket.ticket}`);
    else if (content) contents[name] = content;
  }
  return { tickets: tickets.join(', '), contents };
}
