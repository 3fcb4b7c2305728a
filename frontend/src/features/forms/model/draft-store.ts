import type { FormKey } from '@/shared/api/generated/forms';
import type { Ticket } from './chosen-file';
import type { Values } from './entries';

/** The stored draft of a form that has not been sent, without its files. */
export interface Draft {
  values: Values;
  /** Idempotency key: identifies a repeated submission. */
  key: string;
  /** Seed of the payment code: the same until the form is sent. */
  seed: string;
  /** Whole seconds that the form was open before this page was loaded. */
  elapsed: number;
  /** The server has refused exactly these entries: changed ones are a new submission. */
  refused: boolean;
  /** Sending has begun and nobody has answered: the next attempt uploads file by file. */
  interrupted: boolean;
  /** The files that the server has, by field. */
  tickets: Record<string, Ticket>;
}

/**
 * A file as it is stored. Not a `File`: WebKit never finishes storing one in a private window, nor anything after it.
 */
interface StoredFile {
  name: string;
  type: string;
  lastModified: number;
  bytes: ArrayBuffer;
}

const DRAFTS = 'drafts';
const FILES = 'files';

/**
 * A database that does not respond for this long counts as broken, in milliseconds: some never respond. Long, because a
 * busy disk takes seconds to write a large file durably; meanwhile the form says that it is not stored yet.
 */
export const PATIENCE_MS = 20_000;

let opening: Promise<IDBDatabase> | null = null;

/** The browser's database; opened once, and again after a failure. */
function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((done, fail) => {
    const request = indexedDB.open('festival-forms', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(DRAFTS);
      request.result.createObjectStore(FILES);
    };
    request.onsuccess = () => {
      const database = request.result;
      const forget = () => {
        opening = null;
      };
      database.onclose = forget;
      database.onversionchange = () => {
        forget();
        database.close();
      };
      done(database);
    };
    request.onerror = () => fail(request.error);
  }).catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

/** Database work with a time limit. */
function inTime<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      opening = null;
      fail(new Error('the browser’s database does not answer'));
    }, PATIENCE_MS);
    const end = () => clearTimeout(timer);
    work().then(done, fail).finally(end);
  });
}

/** The key range of all files of one form. */
function filesOf(form: FormKey): IDBKeyRange {
  return IDBKeyRange.bound([form], [form, []]);
}

/** Writes to one store. What is written together succeeds or fails together. */
function write(name: typeof DRAFTS | typeof FILES, work: (store: IDBObjectStore) => void): Promise<void> {
  return inTime(async () => {
    const database = await open();
    await new Promise<void>((done, fail) => {
      // Strict: written to the disk before it counts as stored.
      const transaction = database.transaction(name, 'readwrite', { durability: 'strict' });
      transaction.oncomplete = () => done();
      transaction.onerror = () => fail(transaction.error);
      transaction.onabort = () => fail(transaction.error);
      work(transaction.objectStore(name));
      transaction.commit();
    });
  });
}

/** Rejects if the browser stores nothing: its database may be readable all the same. */
export function testStorage(form: FormKey): Promise<void> {
  return write(FILES, (files) => {
    files.put({ bytes: new ArrayBuffer(1) }, form);
    files.delete(form);
  });
}

/** The stored draft of a form, if any. */
export function readDraft(form: FormKey): Promise<{ draft: Draft | null; files: Record<string, File> }> {
  return inTime(async () => {
    const database = await open();
    return new Promise((done, fail) => {
      const transaction = database.transaction([DRAFTS, FILES]);
      const draft = transaction.objectStore(DRAFTS).get(form);
      const names = transaction.objectStore(FILES).getAllKeys(filesOf(form));
      const files = transaction.objectStore(FILES).getAll(filesOf(form));
      transaction.onerror = () => fail(transaction.error);
      transaction.oncomplete = () =>
        done({
          draft: (draft.result as Draft | undefined) ?? null,
          files: Object.fromEntries(
            names.result.map((name, index) => [(name as string[])[1], restored(files.result[index])]),
          ),
        });
    });
  });
}

/** Earlier versions of this site stored the file itself. */
function restored(stored: StoredFile | File): File {
  if (stored instanceof File) return stored;
  const { bytes, name, ...options } = stored;
  return new File([bytes], name, options);
}

/** Stores a draft. */
export function writeDraft(form: FormKey, draft: Draft): Promise<void> {
  return write(DRAFTS, (drafts) => drafts.put(draft, form));
}

/** Stores a chosen file; null removes it. */
export async function writeFile(form: FormKey, name: string, file: File | null): Promise<void> {
  const key = [form, name];
  if (!file) return write(FILES, (files) => files.delete(key));
  const { type, lastModified } = file;
  const stored: StoredFile = { name: file.name, type, lastModified, bytes: await file.arrayBuffer() };
  return write(FILES, (files) => files.put(stored, key));
}

/** Deletes the draft of a form. */
export async function clearDraft(form: FormKey): Promise<void> {
  await write(DRAFTS, (drafts) => drafts.delete(form));
  await write(FILES, (files) => files.delete(filesOf(form)));
}
