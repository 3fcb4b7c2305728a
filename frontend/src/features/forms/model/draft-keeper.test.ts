import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb';
import { beforeEach, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from './draft-store';

// A database of its own for each test, and a module that has not opened one yet.
beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
});

async function keeper(form: 'asian' | 'indian' = 'asian') {
  const { DraftKeeper } = await import('./draft-keeper');
  const onStatus = vi.fn();
  return { keeper: new DraftKeeper(form, onStatus), onStatus };
}

const poster = new File(['picture'], 'poster.png', { type: 'image/png' });

it('restores texts and choices with the same key', async () => {
  const first = await keeper();
  first.keeper.change({ title_original: 'വെളിച്ചം' });
  first.keeper.changeFile('film_poster', poster);
  await first.keeper.settled();
  expect(first.onStatus).toHaveBeenLastCalledWith({ entries: 'saved', files: { film_poster: 'saved' } });

  const second = await keeper();
  const { values, files } = await second.keeper.load();
  expect(values).toEqual({ title_original: 'വെളിച്ചം' });
  expect(Object.keys(files)).toEqual(['film_poster']);
  expect(second.keeper.key).toBe(first.keeper.key);
});

it('stores each form separately', async () => {
  const asian = await keeper('asian');
  asian.keeper.changeFile('film_poster', poster);
  const indian = await keeper('indian');
  expect(await indian.keeper.load()).toEqual({ values: {}, files: {} });
  await indian.keeper.clear();
  await asian.keeper.clear();
  expect(indian.keeper.key).not.toBe(asian.keeper.key);
});

it('uses a new key after refused entries were changed, and after a success', async () => {
  const { keeper: draft } = await keeper();
  const key = draft.key;
  draft.change({ title_original: 'a' });
  expect(draft.key).toBe(key);
  draft.refuse();
  expect(draft.key).toBe(key);
  draft.change({ title_original: 'b' });
  const second = draft.key;
  expect(second).not.toBe(key);
  draft.change({ title_original: 'c' });
  expect(draft.key).toBe(second);
  await draft.clear();
  expect(draft.key).not.toBe(second);
});

it('deletes everything when cleared', async () => {
  const { keeper: draft } = await keeper();
  draft.change({ title_original: 'a' });
  draft.changeFile('film_poster', poster);
  await draft.clear();
  const again = await keeper();
  expect(await again.keeper.load()).toEqual({ values: {}, files: {} });
});

it('writes the last of many changes', async () => {
  const { keeper: draft } = await keeper();
  for (const text of ['a', 'ab', 'abc']) draft.change({ title_original: text });
  const again = await keeper();
  await draft.settled();
  expect((await again.keeper.load()).values).toEqual({ title_original: 'abc' });
});

it('reports before anything is entered that the browser stores nothing', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('closed', 'SecurityError');
    },
  });
  const { keeper: draft, onStatus } = await keeper();
  expect(await draft.load()).toEqual({ values: {}, files: {} });
  await draft.settled();
  expect(onStatus).toHaveBeenLastCalledWith({ entries: 'failed', files: {} });
  draft.change({ title_original: 'a' });
  await draft.settled();
  expect(onStatus).toHaveBeenLastCalledWith({ entries: 'failed', files: {} });
});

it('stores the rest if there is no room for a file, and drops the file that it replaces', async () => {
  const { keeper: draft, onStatus } = await keeper();
  draft.change({ title_original: 'a' });
  draft.changeFile('film_poster', poster);
  await draft.settled();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { put, delete: remove } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    if (value.name === 'large.png') throw new DOMException('full', 'QuotaExceededError');
    return put.call(this, value, key);
  });
  // The disk is slow as well.
  vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(function (this: IDBObjectStore, key) {
    vi.advanceTimersByTime(1000);
    return remove.call(this, key);
  });
  draft.changeFile('film_poster', new File(['another'], 'large.png', { type: 'image/png' }));
  await draft.settled();
  expect(onStatus).toHaveBeenLastCalledWith({ entries: 'saved', files: { film_poster: 'failed' } });
  vi.restoreAllMocks();
  vi.useRealTimers();
  const again = await keeper();
  expect(await again.keeper.load()).toEqual({ values: { title_original: 'a' }, files: {} });
});

it('does not report a file as stored when only its predecessor is', async () => {
  const { keeper: draft, onStatus } = await keeper();
  const another = new File(['another'], 'another.png', { type: 'image/png' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    if (value.name === 'another.png')
      expect(onStatus).not.toHaveBeenCalledWith({ entries: 'saved', files: { film_poster: 'saved' } });
    return put.call(this, value, key);
  });
  draft.changeFile('film_poster', poster);
  draft.changeFile('film_poster', another);
  vi.advanceTimersByTime(1000);
  await draft.settled();
  expect(onStatus).toHaveBeenLastCalledWith({ entries: 'saved', files: { film_poster: 'saved' } });
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('does not report entries as stored while the database is silent', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('indexedDB', { open: () => ({}) });
  const { keeper: draft, onStatus } = await keeper();
  const loading = draft.load();
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(await loading).toEqual({ values: {}, files: {} });
  expect(onStatus).toHaveBeenLastCalledWith({ entries: 'failed', files: {} });
  draft.change({ title_original: 'a' });
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(onStatus).toHaveBeenLastCalledWith({ entries: 'failed', files: {} });
  expect(onStatus.mock.calls.map(([{ entries }]) => entries)).not.toContain('saved');
  vi.useRealTimers();
});

it('keeps texts and files in a browser that never finishes storing a File, as WebKit in a private window', async () => {
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    const holds = (held: unknown): boolean =>
      held instanceof Blob || (typeof held === 'object' && held !== null && Object.values(held).some(holds));
    if (holds(value)) throw new DOMException('BlobURLs are not yet supported.', 'UnknownError');
    return put.call(this, value, key);
  });
  const first = await keeper();
  first.keeper.change({ title_original: 'വെളിച്ചം' });
  first.keeper.changeFile('film_poster', poster);
  await first.keeper.settled();
  expect(first.onStatus).toHaveBeenLastCalledWith({ entries: 'saved', files: { film_poster: 'saved' } });
  vi.restoreAllMocks();
  const { values, files } = await (await keeper()).keeper.load();
  expect(values).toEqual({ title_original: 'വെളിച്ചം' });
  const { name, type, content } = files.film_poster ?? {};
  expect([name, type, await content?.text()]).toEqual(['poster.png', 'image/png', 'picture']);
});

it('remembers after a reload that sending was interrupted, until there is an answer', async () => {
  const { keeper: draft } = await keeper();
  draft.changeInterrupted(true);
  await draft.settled();
  const again = await keeper();
  await again.keeper.load();
  expect(again.keeper.draft.interrupted).toBe(true);
  again.keeper.changeInterrupted(false);
  await again.keeper.settled();
  const third = await keeper();
  await third.keeper.load();
  expect(third.keeper.draft.interrupted).toBe(false);
});

it('restores a file that only the server has, by its ticket', async () => {
  const { keeper: draft } = await keeper();
  const stored = { ticket: 'secret', name: 'poster.png', size: 7, type: 'image/png' };
  draft.changeTicket('film_poster', stored);
  await draft.settled();
  const again = await keeper();
  const { files } = await again.keeper.load();
  expect(files).toEqual({
    film_poster: { name: 'poster.png', size: 7, type: 'image/png', content: null, ticket: stored },
  });
});

it('measures the time that a form was open on a monotonic clock', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });
  const { keeper: draft } = await keeper();
  vi.setSystemTime(new Date('2001-01-01'));
  vi.advanceTimersByTime(9_400);
  expect(draft.elapsed()).toBe(9);
  vi.useRealTimers();
});

it('generates keys in browsers without randomUUID', async () => {
  const { uniqueKey } = await import('./draft-keeper');
  const made = uniqueKey();
  const own = crypto.randomUUID;
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  const ours = uniqueKey();
  Object.defineProperty(crypto, 'randomUUID', { value: own, configurable: true });
  for (const key of [made, ours])
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
