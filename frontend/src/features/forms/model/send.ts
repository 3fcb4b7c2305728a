import type { Problem } from './checks';

/** How far the sending is. */
export interface Progress {
  sent: number;
  total: number;
  /** Null until there is something to go by. */
  secondsLeft: number | null;
}

/** What became of it. */
export type Answer =
  | { kind: 'accepted'; message: string; reference: string }
  /** The server said no: nothing was kept there. */
  | { kind: 'refused'; status: number; message: string; problems: Problem[] }
  /** No answer: it may have arrived or not. */
  | { kind: 'lost' };

/** How long nothing may happen before the connection counts as broken. */
const PATIENCE_MS = 90_000;

/** Sends a body once, telling how far it is; it always comes to an answer. */
export function send(
  url: string,
  body: FormData | string,
  key: string,
  onProgress: (progress: Progress) => void,
): Promise<Answer> {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    const begun = performance.now();
    let patience = setTimeout(() => request.abort(), PATIENCE_MS);
    const alive = () => {
      clearTimeout(patience);
      patience = setTimeout(() => request.abort(), PATIENCE_MS);
    };
    const end = (answer: Answer) => {
      clearTimeout(patience);
      done(answer);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      alive();
      const seconds = (performance.now() - begun) / 1000;
      const secondsLeft = seconds >= 1 && loaded > 0 ? (seconds * (total - loaded)) / loaded : null;
      onProgress({ sent: loaded, total, secondsLeft });
    };
    request.onload = () => end(answerOf(request));
    request.onerror = () => end({ kind: 'lost' });
    request.onabort = () => end({ kind: 'lost' });
    request.open('POST', url);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Idempotency-Key', key);
    // For multipart the browser itself writes the type, with its boundary.
    if (typeof body === 'string') request.setRequestHeader('Content-Type', 'application/json');
    request.send(body);
  });
}

function answerOf(request: XMLHttpRequest): Answer {
  const { status } = request;
  const body = bodyOf(request.responseText);
  if (status >= 200 && status < 300) {
    return { kind: 'accepted', message: text(body.message), reference: text(body.reference) };
  }
  const fields = Array.isArray(body.fields) ? body.fields : [];
  return { kind: 'refused', status, message: text(body.error), problems: fields.map(problemOf) };
}

function bodyOf(json: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(json);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    // A proxy's page of HTML says nothing to a visitor.
    return {};
  }
}

function problemOf(field: unknown): Problem {
  const { field: name, message } = (field ?? {}) as { field?: unknown; message?: unknown };
  return { name: text(name), message: text(message) };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
