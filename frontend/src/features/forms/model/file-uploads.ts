import { type Answer, type Progress, send } from './send';

/** State of an upload. */
export type UploadState =
  | { kind: 'waiting' }
  | { kind: 'sending'; sent: number; total: number }
  /** The server has stored and accepted it. */
  | { kind: 'stored' }
  /** It cannot be uploaded by itself: it is sent with the form. */
  | { kind: 'with-form' };

/** Outcome of an upload. */
export interface UploadEvents {
  onStored: (field: string, file: File, ticket: string) => void;
  onRefused: (field: string, file: File, message: string) => void;
}

/** Outcome of finishing the pending uploads. */
type Finished = 'done' | 'refused' | 'lost';

/** Waits between attempts after a broken connection, in milliseconds; the last one is repeated. */
const PAUSES_MS = [5_000, 15_000, 60_000, 300_000];

/**
 * Uploads files when they are chosen, one at a time, so that a refused or interrupted file costs only its own upload
 * again. If a server accepts no single files, they are sent with the form.
 */
export class FileUploads {
  private readonly waiting = new Map<string, File>();
  private current: { field: string; abort: AbortController } | null = null;
  private running: Promise<void> | null = null;
  private losses = 0;
  /** The user is waiting: no pauses, and a broken connection is reported at once. */
  private finishing: { onProgress: (progress: Progress) => void; outcome: Finished; begun: number } | null = null;
  private wake: () => void = () => {};

  private events: UploadEvents | null = null;

  /** `onState` gets the state of a field's file; null once there is no upload any more. */
  constructor(
    private readonly url: string,
    private readonly onState: (field: string, state: UploadState | null) => void,
  ) {}

  /** Sets the receiver of outcomes from now on. */
  listen(events: UploadEvents): void {
    this.events = events;
  }

  /** A file was chosen for a field; an upload of another file for it is cancelled. */
  add(field: string, file: File): void {
    this.remove(field);
    this.waiting.set(field, file);
    this.onState(field, { kind: 'waiting' });
    this.wake();
    this.start();
  }

  /** The field's file was removed. */
  remove(field: string): void {
    this.waiting.delete(field);
    if (this.current?.field === field) this.current.abort.abort();
    this.onState(field, null);
  }

  /** Cancels all of them; the owner has gone, or the form was sent. */
  clear(): void {
    for (const field of this.waiting.keys()) this.remove(field);
    if (this.current) this.remove(this.current.field);
    this.wake();
  }

  /** Uploads all waiting files, and returns the outcome. */
  async finish(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Finished> {
    this.finishing = { onProgress, outcome: 'done', begun: performance.now() };
    const stop = () => this.current?.abort.abort();
    signal.addEventListener('abort', stop);
    this.wake();
    this.start();
    await this.running;
    signal.removeEventListener('abort', stop);
    const { outcome } = this.finishing;
    this.finishing = null;
    // The rest is tried again while the form is being corrected.
    if (this.waiting.size > 0) this.start();
    return signal.aborted ? 'lost' : outcome;
  }

  private start(): void {
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
  }

  private async run(): Promise<void> {
    let sent = 0;
    for (;;) {
      const [next] = this.waiting;
      if (!next) return;
      const [field, file] = next;
      const answer = await this.upload(field, file, sent);
      // Removed or replaced in the meantime.
      if (this.waiting.get(field) !== file) continue;
      if (answer.kind === 'lost') {
        this.onState(field, { kind: 'waiting' });
        if (this.finishing) {
          this.finishing.outcome = 'lost';
          return;
        }
        await this.pause();
        continue;
      }
      this.losses = 0;
      this.waiting.delete(field);
      sent += file.size;
      this.settle(field, file, answer);
    }
  }

  private settle(field: string, file: File, answer: Exclude<Answer, { kind: 'lost' }>): void {
    if (answer.kind === 'accepted' && typeof answer.body.ticket === 'string') {
      this.events?.onStored(field, file, answer.body.ticket);
      this.onState(field, { kind: 'stored' });
      return;
    }
    const problem = answer.kind === 'refused' ? answer.problems.find(({ name }) => name === field) : undefined;
    if (problem) {
      if (this.finishing) this.finishing.outcome = 'refused';
      this.onState(field, null);
      this.events?.onRefused(field, file, problem.message);
      return;
    }
    this.onState(field, { kind: 'with-form' });
  }

  private async upload(field: string, file: File, before: number): Promise<Answer> {
    const abort = new AbortController();
    this.current = { field, abort };
    const body = new FormData();
    body.append(field, file, file.name);
    const total = [...this.waiting.values()].reduce((sum, { size }) => sum + size, before);
    const answer = await send(this.url, body, {
      signal: abort.signal,
      onProgress: (progress) => {
        if (this.waiting.get(field) !== file) return;
        const { again, working } = progress;
        this.onState(
          field,
          again || working ? { kind: 'waiting' } : { kind: 'sending', sent: progress.sent, total: progress.total },
        );
        if (!this.finishing) return;
        const sent = Math.min(total, before + progress.sent);
        const seconds = (performance.now() - this.finishing.begun) / 1000;
        const secondsLeft = seconds >= 1 && sent > 0 ? (seconds * (total - sent)) / sent : null;
        this.finishing.onProgress({ sent, total, secondsLeft, again, working });
      },
    });
    this.current = null;
    return answer;
  }

  /** Waits, longer after each attempt, until the connection returns, another file is chosen or the form is sent. */
  private async pause(): Promise<void> {
    const pause = PAUSES_MS[Math.min(this.losses, PAUSES_MS.length - 1)];
    this.losses += 1;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, pause);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
      addEventListener('online', this.wake, { once: true });
    });
    this.wake = () => {};
  }
}
