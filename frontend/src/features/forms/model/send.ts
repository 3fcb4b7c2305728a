import type { Challenge } from '@/shared/api/generated/api';
import type { Problem } from './entries';
import { canSolve, challengeOf, solve } from './proof-of-work';

/** Progress of sending. */
export interface Progress {
  sent: number;
  total: number;
  /** Null until it can be estimated. */
  secondsLeft: number | null;
  /** The site is busy: seconds until the same data are sent again. */
  again?: number;
  /** Too many requests from this network: the device is solving a proof of work to pass. */
  working?: boolean;
}

/** Outcome of sending. */
export type Answer =
  | { kind: 'accepted'; body: Record<string, unknown>; message: string; reference: string }
  /** An error response: nothing was stored. `explained` is whether the festival itself sent it. */
  | {
      kind: 'refused';
      status: number;
      explained: boolean;
      message: string;
      problems: Problem[];
      retryAfter?: number;
      challenge?: Challenge;
    }
  /** No response: it may have arrived or not. */
  | { kind: 'lost' };

/** Options of a request. */
export interface SendOptions {
  headers?: Record<string, string>;
  onProgress?: (progress: Progress) => void;
  /** Aborts it; only the user may, however slow it is. */
  signal?: AbortSignal;
}

/** How often a busy site is retried before the user decides. */
const MOST_TIMES_AGAIN = 20;

/**
 * Sends a body and reports progress. A slow connection is never given up. A busy site is retried when it says so; if
 * too many requests come from one network, at once with the solution of its challenge.
 */
export async function send(url: string, body: FormData | string, options: SendOptions = {}): Promise<Answer> {
  let solution: string | null = null;
  for (let times = 0; ; times += 1) {
    const headers = { ...options.headers, ...(solution && { 'Proof-Of-Work': solution }) };
    const answer = await sendOnce(url, body, { ...options, headers });
    if (answer.kind !== 'refused' || !answer.retryAfter || times === MOST_TIMES_AGAIN) return answer;
    // A solution is valid for one request.
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

/** An estimate for a sending that began at `begun`, on a monotonic clock; null as long as there is none. */
export function secondsLeft(sent: number, total: number, begun: number): number | null {
  const seconds = (performance.now() - begun) / 1000;
  return seconds >= 1 && sent > 0 ? (seconds * (total - sent)) / sent : null;
}

function sendOnce(url: string, body: FormData | string, { headers, onProgress, signal }: SendOptions): Promise<Answer> {
  return new Promise((done) => {
    if (signal?.aborted) return done({ kind: 'lost' });
    const request = new XMLHttpRequest();
    const begun = performance.now();
    signal?.addEventListener('abort', () => request.abort());
    request.upload.onprogress = ({ loaded, total }) => {
      onProgress?.({ sent: loaded, total, secondsLeft: secondsLeft(loaded, total, begun) });
    };
    request.onload = () => done(answerOf(request));
    request.onerror = () => done({ kind: 'lost' });
    request.onabort = () => done({ kind: 'lost' });
    request.open('POST', url);
    request.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    // For multipart the browser itself sets the type, with its boundary.
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

/** When a busy site wants to be retried, in seconds; a date instead of a number is ignored. */
function retryAfterOf(request: XMLHttpRequest): number | undefined {
  const seconds = Number(request.getResponseHeader('Retry-After') ?? Number.NaN);
  return seconds >= 1 ? Math.min(Math.ceil(seconds), 60) : undefined;
}

/** The response as a JSON object; null if it is something else, such as a proxy's page. */
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
