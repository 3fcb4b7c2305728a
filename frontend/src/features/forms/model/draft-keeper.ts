import type { FormKey } from '@/shared/api/generated/forms';
import type { Values } from './checks';
import { clearDraft, type Draft, readDraft, writeDraft, writeFile } from './draft-store';
import { uniqueKey } from './unique-key';

/** Whether the entries are on the device. */
export type Kept = 'nothing' | 'kept' | 'failed';

/**
 * Keeps one form's entries on the device from the first letter until it is sent, and with them the key that makes a
 * repeated sending safe. Writes follow one another; of several waiting ones only the last is made.
 */
export class DraftKeeper {
  private draft: Draft = fresh();
  private queue: Promise<void> = Promise.resolve();
  private waiting = false;

  constructor(
    private readonly form: FormKey,
    private readonly onKept: (kept: Kept) => void,
  ) {}

  /** The key of the next sending. */
  get key(): string {
    return this.draft.key;
  }

  /** Whole seconds since the form first appeared. */
  elapsed(): number {
    return Math.max(0, Math.floor((Date.now() - this.draft.started) / 1000));
  }

  /** When everything that was changed until now is on the device, or could not be written. */
  readonly settled = (): Promise<void> => this.queue;

  /** What was kept before; empty where nothing was, or where the browser cannot say. */
  load(): Promise<{ values: Values; files: Record<string, File> }> {
    // A file that is chosen meanwhile is written afterwards, into what was read.
    const loading = this.queue.then(() => this.read());
    this.queue = loading.then(() => {});
    return loading;
  }

  private async read(attempts = 3): Promise<{ values: Values; files: Record<string, File> }> {
    try {
      const { draft, files } = await readDraft(this.form);
      if (draft) {
        this.draft = draft;
        this.onKept('kept');
      }
      return { values: draft?.values ?? {}, files };
    } catch {
      // Browsers lose the connection to their database now and then; taking that for "nothing kept" would write over it.
      if (attempts > 1) {
        await new Promise((done) => setTimeout(done, 200));
        return this.read(attempts - 1);
      }
      // Whether there is room shows when something is written.
      return { values: {}, files: {} };
    }
  }

  /** Something was typed or chosen from a list. */
  change(values: Values): void {
    this.renew();
    this.draft = { ...this.draft, values };
    this.save();
  }

  /** A file was chosen; null: removed. */
  changeFile(name: string, file: File | null): void {
    this.renew();
    this.enqueue(() => writeFile(this.form, this.draft, name, file));
  }

  /** The server has said no to what was sent. */
  refuse(): void {
    this.draft = { ...this.draft, refused: true };
    this.save();
  }

  /** What is sent next is another sending, whatever its entries. */
  renewKey(): void {
    this.draft = { ...this.draft, refused: false, key: uniqueKey() };
    this.save();
  }

  /** Forgets everything: it was sent, or is not wanted any more. */
  clear(): Promise<void> {
    this.draft = fresh();
    const cleared = this.queue.then(() => clearDraft(this.form));
    this.queue = cleared.then(
      () => this.onKept('nothing'),
      () => this.onKept('failed'),
    );
    return this.queue;
  }

  /** Entries that differ from refused ones are another sending. */
  private renew() {
    if (this.draft.refused) this.renewKey();
  }

  private save() {
    if (this.waiting) return;
    this.waiting = true;
    this.enqueue(() => {
      this.waiting = false;
      return writeDraft(this.form, this.draft);
    });
  }

  private enqueue(write: () => Promise<void>) {
    this.queue = this.queue.then(write).then(
      () => this.onKept('kept'),
      () => this.onKept('failed'),
    );
  }
}

function fresh(): Draft {
  return { values: {}, key: uniqueKey(), started: Date.now(), refused: false };
}
