import type { FormKey } from '@/shared/api/generated/forms';
import { type ChosenFile, type Ticket, together } from './chosen-file';
import { clearDraft, type Draft, readDraft, testStorage, writeDraft, writeFile } from './draft-store';
import type { Values } from './entries';

/** Whether something is stored on the device. */
export type SaveState = 'none' | 'saving' | 'saved' | 'failed';

/** Whether the texts are stored on the device, and each file. */
export interface DraftStatus {
  entries: SaveState;
  files: Record<string, SaveState>;
}

/** Nothing has been entered yet. */
export const NOTHING_SAVED: DraftStatus = { entries: 'none', files: {} };

/** Whether everything that was entered is stored on the device. */
export function isAllSaved({ entries, files }: DraftStatus): boolean {
  return entries === 'saved' && Object.values(files).every((saved) => saved === 'saved');
}

/**
 * A write that takes longer than this is mentioned, in milliseconds: most are over before anybody could read about
 * them.
 */
const NOTICED_MS = 400;

/**
 * Stores one form's entries on the device from the first letter until it is sent, with the key that makes repeated
 * sending safe. Writes are sequential; of several waiting ones only the last is executed.
 */
export class DraftKeeper {
  private current: Draft = fresh();
  private queue: Promise<void> = Promise.resolve();
  private waiting = false;
  private state: DraftStatus = NOTHING_SAVED;
  /** The file last chosen for each field; null if removed. */
  private readonly chosen = new Map<string, File | null>();
  /** When the form appeared on this page, on a monotonic clock. */
  private appeared = now();

  constructor(
    private readonly form: FormKey,
    private readonly onStatus: (saved: DraftStatus) => void,
  ) {}

  /** The idempotency key of the next submission. */
  get key(): string {
    return this.current.key;
  }

  /** The draft as it is now. */
  get draft(): Draft {
    return this.current;
  }

  /** Whole seconds for which the form has been open. */
  elapsed(): number {
    return this.current.elapsed + Math.floor((now() - this.appeared) / 1000);
  }

  /** Resolves when all changes so far are stored on the device, or could not be written. */
  readonly settled = (): Promise<void> => this.queue;

  /** The stored draft; empty if there is none, or if the browser cannot tell. */
  load(): Promise<{ values: Values; files: Record<string, ChosenFile> }> {
    // A file chosen in the meantime is written afterwards, into the draft that was read.
    const loading = this.queue.then(() => this.read());
    // A browser that stores nothing says so before anything is entered.
    this.queue = loading.then(() => testStorage(this.form)).catch(() => this.tell({ entries: 'failed', files: {} }));
    return loading;
  }

  private async read(attempts = 3): Promise<{ values: Values; files: Record<string, ChosenFile> }> {
    try {
      const { draft, files } = await readDraft(this.form);
      if (draft) {
        this.current = { ...fresh(), ...draft };
        this.appeared = now();
        this.tell({ entries: 'saved', files: Object.fromEntries(Object.keys(files).map((name) => [name, 'saved'])) });
      }
      return { values: draft?.values ?? {}, files: together(files, this.current.tickets) };
    } catch (error) {
      // Browsers lose the connection to their database now and then; treating that as "nothing stored" would overwrite
      // the draft.
      if (attempts > 1 && error instanceof DOMException) {
        await new Promise((done) => setTimeout(done, 200));
        return this.read(attempts - 1);
      }
      this.tell({ entries: 'failed', files: {} });
      return { values: {}, files: {} };
    }
  }

  /** A text or a choice has changed. */
  change(values: Values): void {
    this.renew();
    // Values of inputs that are not rendered yet stay.
    this.current = { ...this.current, values: { ...this.current.values, ...values } };
    this.save();
  }

  /** A file was chosen, or removed (null). */
  changeFile(name: string, file: File | null): void {
    this.renew();
    const { [name]: _replaced, ...tickets } = this.current.tickets;
    this.current = { ...this.current, tickets };
    this.chosen.set(name, file);
    const noticed = this.notice(name);
    const tell = (saved: SaveState) => {
      clearTimeout(noticed);
      // Another file, whose state is not known yet, may have been chosen in the meantime.
      if (this.chosen.get(name) === file) this.tellFile(name, file && saved);
    };
    this.enqueue(async () => {
      let saved: SaveState = 'failed';
      try {
        // By itself, so that the texts are not lost with the file.
        await writeDraft(this.form, this.snapshot());
        await writeFile(this.form, name, file).then(
          () => {
            saved = 'saved';
          },
          // There may be room for everything else; the file that this one replaces must not be restored.
          () => writeFile(this.form, name, null),
        );
      } finally {
        tell(saved);
      }
    });
  }

  /** The server has a file. */
  changeTicket(name: string, ticket: Ticket | null): void {
    const { [name]: _old, ...others } = this.current.tickets;
    this.current = { ...this.current, tickets: ticket ? { ...others, [name]: ticket } : others };
    this.save();
  }

  /** Sending begins, or (false) has got an answer. */
  changeInterrupted(interrupted: boolean): void {
    this.current = { ...this.current, interrupted };
    this.save();
  }

  /** The server has refused the submission. */
  refuse(): void {
    this.current = { ...this.current, refused: true };
    this.save();
  }

  /** The next submission is a new one, even with the same entries. */
  renewKey(): void {
    this.current = { ...this.current, refused: false, key: uniqueKey() };
    this.save();
  }

  /** Deletes everything: it was sent, or is no longer wanted. */
  clear(): Promise<void> {
    this.current = fresh();
    this.appeared = now();
    const cleared = this.queue.then(() => clearDraft(this.form));
    this.queue = cleared.then(
      () => this.tell(NOTHING_SAVED),
      () => this.tell({ entries: 'failed', files: {} }),
    );
    return this.queue;
  }

  /** Entries that differ from refused ones are a new submission. */
  private renew() {
    if (this.current.refused) this.renewKey();
  }

  private save() {
    if (this.waiting) return;
    this.waiting = true;
    this.enqueue(() => {
      this.waiting = false;
      return writeDraft(this.form, this.snapshot());
    });
  }

  /** The draft in the form in which it is written. */
  private snapshot(): Draft {
    return { ...this.current, elapsed: this.elapsed() };
  }

  private enqueue(write: () => Promise<void>) {
    const noticed = this.notice(null);
    this.queue = this.queue
      .then(write)
      .then(
        () => this.tell({ ...this.state, entries: this.waiting ? this.state.entries : 'saved' }),
        () => this.tell({ ...this.state, entries: 'failed' }),
      )
      .finally(() => clearTimeout(noticed));
  }

  /** Withdraws the statement that something is stored, unless its write is over soon. */
  private notice(file: string | null): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      if (file !== null) this.tellFile(file, 'saving');
      else if (this.state.entries !== 'failed') this.tell({ ...this.state, entries: 'saving' });
    }, NOTICED_MS);
  }

  private tellFile(name: string, saved: SaveState | null) {
    const { [name]: _old, ...others } = this.state.files;
    this.tell({ ...this.state, files: saved ? { ...others, [name]: saved } : others });
  }

  private tell(state: DraftStatus) {
    this.state = state;
    this.onStatus(state);
  }
}

/** Milliseconds on a monotonic clock; 0 on the server, which renders forms and has none. */
function now(): number {
  return typeof performance === 'undefined' ? 0 : performance.now();
}

function fresh(): Draft {
  return {
    values: {},
    key: uniqueKey(),
    seed: uniqueKey(),
    elapsed: 0,
    refused: false,
    interrupted: false,
    tickets: {},
  };
}

/**
 * A random key (UUID, version 4); also if the page is not served over https and the browser's own function is missing.
 */
export function uniqueKey(): string {
  // The server renders forms and sends none: the browser generates the key.
  if (typeof crypto === 'undefined') return '';
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
