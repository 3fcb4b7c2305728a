import { texts } from '@/shared/api/generated/forms';
import type { Problem } from './entries';
import type { Answer } from './send';

/** The message next to the button of a form that was not accepted. */
export interface Trouble {
  message: string;
  /** The server's own message; empty if there is none. */
  serverMessage: string;
  problems: Problem[];
}

/** An earlier submission has arrived with other entries: these are a new one. */
export function isDifferentFromAnEarlierOne(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.problems.some(({ name }) => name === 'Idempotency-Key');
}

/** The server no longer has the files that were uploaded before. */
export function hasLostFiles(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.problems.some(({ name }) => name === 'Staged-Files');
}

/**
 * Statuses that mean the server has examined the entries and not stored them; a timeout or a submission in progress
 * does not.
 */
export function isRefusal(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.status < 500 && ![408, 409].includes(answer.status);
}

/** Whether sending broke off before the festival itself could answer. */
export function isInterruption(answer: Answer): boolean {
  if (answer.kind !== 'refused') return answer.kind === 'lost';
  return answer.status === 408 || (!answer.explained && (answer.status === 413 || answer.status >= 500));
}

/** Messages for statuses from a proxy between browser and festival. */
function messageFor(status: number): string {
  if (status === 413)
    return 'The form is too large for a computer between you and the festival. Please send it again: its files go one by one then. If that fails as well, choose smaller files, or another connection.';
  if (status === 429) return 'Too much is being sent at the moment. Please wait a minute and send the form again.';
  if (status >= 500)
    return 'The festival cannot be reached at the moment. Please send the form again in a minute. That is safe: it cannot arrive twice.';
  return texts.failure;
}

/** The sentence next to the button for an error response to a form, which `hasFiles` or none. */
export function troubleOf(answer: Exclude<Answer, { kind: 'accepted' }>, hasFiles: boolean): Trouble {
  if (isDifferentFromAnEarlierOne(answer)) {
    const message =
      'An earlier sending of this form has arrived, before your last changes. Send it again if these should follow as a second one.';
    return { message, serverMessage: message, problems: [] };
  }
  if (answer.kind === 'refused') {
    const message = answer.explained ? answer.message : messageFor(answer.status);
    return { message, serverMessage: answer.message, problems: answer.problems };
  }
  const message = navigator.onLine
    ? `The connection broke before the festival could answer. Sending again is safe: it cannot arrive twice.${hasFiles ? ' The files go one by one then, and what has arrived stays there.' : ''}`
    : 'You are offline. Send the form when you are connected again.';
  return { message, serverMessage: '', problems: [] };
}
