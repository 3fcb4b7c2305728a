import { afterEach, expect, it, vi } from 'vitest';
import { uploadFiles } from './file-uploads';
import { type Answer, type Progress, send } from './send';

vi.mock('./send', async (original) => ({ ...(await original<typeof import('./send')>()), send: vi.fn() }));
afterEach(() => vi.mocked(send).mockReset());

const files = ['film_poster', 'signature', 'screenshot'].map((field): [string, File] => [
  field,
  new File(['1234'], `${field}.png`),
]);
const ticket = (of: string): Answer => ({ kind: 'accepted', body: { ticket: of }, message: '', reference: '' });
const refusal = (status: number, field = ''): Answer => ({
  kind: 'refused',
  status,
  explained: true,
  message: 'no',
  problems: field ? [{ name: field, message: 'This picture is damaged.' }] : [],
});

/** Uploads the files to a server with these answers; returns what became of them. */
async function upload(...answers: Answer[]) {
  for (const answer of answers) vi.mocked(send).mockResolvedValueOnce(answer);
  const stored: string[] = [];
  const onStored = (field: string, { name }: File, ticket: string) => void stored.push(`${field} ${name} ${ticket}`);
  const failed = await uploadFiles('/files/', files, onStored, { onProgress: () => {} });
  const sent = vi.mocked(send).mock.calls.map(([, body]) => [...(body as FormData).keys()]);
  return { failed, stored, sent };
}

it('uploads each file alone, under the name of its field', async () => {
  expect(await upload(ticket('a'), ticket('b'), ticket('c'))).toEqual({
    failed: null,
    stored: ['film_poster film_poster.png a', 'signature signature.png b', 'screenshot screenshot.png c'],
    sent: [['film_poster'], ['signature'], ['screenshot']],
  });
});

it('keeps what has arrived when the connection breaks', async () => {
  const { failed, stored, sent } = await upload(ticket('a'), { kind: 'lost' });
  expect([failed, stored, sent.length]).toEqual([{ kind: 'lost' }, ['film_poster film_poster.png a'], 2]);
});

it('stops at a refused file', async () => {
  const { failed, sent } = await upload(ticket('a'), refusal(422, 'signature'));
  expect([failed, sent.length]).toEqual([refusal(422, 'signature'), 2]);
});

it('leaves the files to the form if the server takes no single ones', async () => {
  const { failed, stored, sent } = await upload(refusal(404));
  expect([failed, stored, sent.length]).toEqual([null, [], 1]);
});

it('reports the progress of all files together', async () => {
  const seen: Progress[] = [];
  vi.mocked(send).mockImplementation(async (_url, _body, options) => {
    options?.onProgress?.({ sent: 2, total: 4, secondsLeft: null });
    return ticket('a');
  });
  await uploadFiles('/files/', files, () => {}, { onProgress: (progress) => seen.push(progress) });
  expect(seen.map(({ sent, total }) => `${sent} of ${total}`)).toEqual(['2 of 12', '6 of 12', '10 of 12']);
});
