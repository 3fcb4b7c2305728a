import type { Challenge } from '@/shared/api/generated/site';
import type { Problem } from './entries';
import { canSolve, challengeOf, solve } from './proof-of-work';

/** How far the sending is. */
export interface Progress {
  sent: number;
  total: number;
  /** Null until there is something to go by. */
  secondsLeft: number | null;
  /** The site is busy: the same is sent again in so many seconds. */
  again?: number;
  /** Much came from this connection: the device does the work that lets this pass. */
  working?: boolean;
}

/** What became of it. */
export type Answer =
  | { kind: 'accepted'; body: Record<string, unknown>; message: string; reference: string }
  /** An answer that is no success: nothing was kept there. `said` tells whether the festival itself spoke. */
  | {
      kind: 'refused';
      status: number;
      explained: boolean;
      message: string;
      problems: Problem[];
      retryAfter?: number;
      challenge?: Challenge;
    }
  /** No answer: it may have arrived or not. */
  | { kind: 'lost' };

/** What goes with a body. */
interface SendOptions {
  headers?: Record<string, string>;
  onProgress?: (progress: Progress) => void;
  /** Ends it; only a person may, however slow it is. */
  signal?: AbortSignal;
}

/** As often is a busy site asked again before a person decides. */
const MOST_TIMES_AGAIN = 20;

/**
 * Sends a body, telling how far it is. A slow connection is never given up. A site that is busy is asked again when it
 * says so; where many send from one connection, with the solution of its challenge at once.
 */
export async function send(url: string, body: FormData | string, options: SendOptions = {}): Promise<Answer> {
  let solution: string | null = null;
  for (let times = 0; ; times += 1) {
    const headers = { ...options.headers, ...(solution && { 'Proof-Of-Work': solution }) };
    const answer = await sendOnce(url, body, { ...options, headers });
    if (answer.kind !== 'refused' || !answer.retryAfter || times === MOST_TIMES_AGAIN) return answer;
    // A solution is good for one request.
    solution = null;
    if (answer.challenge && canSolve()) {
      options.onProgress?.({ sent: 0, total: 0, secondsLeft: null, working: true });
      solution = await solve(answer.challenge, options.signal);
      if (solution) continue;
    }
    for (let again = answer.retryAfter; again > 0 && !options.signal?.aborted; again -= 1) {
      options.onProgress?.({ sent: 0, total: 0, secondsLeft: null, again });
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}

function sendOnce(url: string, body: FormData | string, { headers, onProgress, signal }: SendOptions): Promise<Answer> {
  return new Promise((done) => {
    if (signal?.aborted) return done({ kind: 'lost' });
    const request = new XMLHttpRequest();
    const begun = performance.now();
    signal?.addEventListener('abort', () => request.abort());
    request.upload.onprogress = ({ loaded, total }) => {
      const seconds = (performance.now() - begun) / 1000;
      const secondsLeft = seconds >= 1 && loaded > 0 ? (seconds * (total - loaded)) / loaded : null;
      onProgress?.({ sent: loaded, total, secondsLeft });
    };
    request.onload = () => done(answerOf(request));
    request.onerror = () => done({ kind: 'lost' });
    request.onabort = () => done({ kind: 'lost' });
    request.open('POST', url);
    request.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    // For multipart the browser itself writes the type, with its boundary.
    if (typeof body === 'string') request.setRequestHeader('Content-Type', 'application/json');
    request.send(body);
  });
}

function answerOf(request: XMLHttpRequest): Answer {
  const { status } = request;
  const body = parseBody(request.responseText);
  if (status >= 200 && status < 300 && body) {
    return { kind: 'accepted', body, message: text(body.message), reference: text(body.reference) };
  }
  const fields = Array.isArray(body?.fields) ? body.fields : [];
  const message = text(body?.error);
  const problems = fields.map(problemOf);
  const challenge = challengeOf(body?.challenge);
  const retryAfter = status === 503 || challenge ? retryAfterOf(request) : undefined;
  return { kind: 'refused', status, explained: message !== '', message, problems, retryAfter, challenge };
}

/** When a busy site wants to be asked again, in seconds; a date in the place of a number is not waited for. */
function retryAfterOf(request: XMLHttpRequest): number | undefined {
  const seconds = Number(request.getResponseHeader('Retry-After') ?? Number.NaN);
  return seconds >= 1 ? Math.min(Math.ceil(seconds), 60) : undefined;
}

/** The object that an answer is; null where it is something else, such as a proxy's page. */
function parseBody(json: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(json);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function problemOf(field: unknown): Problem {
  const { field: name, message } = (field ?? {}) as { field?: unknown; message?: unknown };
  return { name: text(name), message: text(message) };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
