import { type Answer, type Progress, type SendOptions, secondsLeft, send } from './send';

/**
 * Uploads files one by one after sending a form was interrupted, so that another interruption costs one file only.
 * Returns the answer for which the form cannot be sent: a broken connection, or a refused file; null if it can. Files
 * that the server does not accept by themselves are left to the form.
 */
export async function uploadFiles(
  url: string,
  files: [field: string, file: File][],
  onStored: (field: string, file: File, ticket: string) => void,
  { onProgress, ...options }: SendOptions & { onProgress: (progress: Progress) => void },
): Promise<Answer | null> {
  const total = files.reduce((sum, [, { size }]) => sum + size, 0);
  const begun = performance.now();
  let before = 0;
  for (const [field, file] of files) {
    const body = new FormData();
    body.append(field, file, file.name);
    const answer = await send(url, body, {
      ...options,
      onProgress: (progress) => {
        const sent = Math.min(before + progress.sent, total);
        onProgress(progress.total === 0 ? progress : { sent, total, secondsLeft: secondsLeft(sent, total, begun) });
      },
    });
    if (answer.kind === 'lost') return answer;
    if (answer.kind === 'refused') return answer.problems.some(({ name }) => name === field) ? answer : null;
    if (typeof answer.body.ticket !== 'string') return null;
    onStored(field, file, answer.body.ticket);
    before += file.size;
  }
  return null;
}
