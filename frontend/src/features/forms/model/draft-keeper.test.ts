import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, it, vi } from 'vitest';

// A database of its own for each test, and a module that has not opened one yet.
beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
});

async function keeper(form: 'asian' | 'indian' = 'asian') {
  const { DraftKeeper } = await import('./draft-keeper');
  const onKept = vi.fn();
  return { keeper: new DraftKeeper(form, onKept), onKept };
}

const poster = new File(['picture'], 'poster.png', { type: 'image/png' });

it('brings back what was typed and chosen, with the same key', async () => {
  const first = await keeper();
  first.keeper.change({ title_original: 'വെളിച്ചം' });
  first.keeper.changeFile('film_poster', poster);
  await vi.waitFor(() => expect(first.onKept).toHaveBeenCalledTimes(2));
  expect(first.onKept).toHaveBeenLastCalledWith('kept');

  const second = await keeper();
  const { values, files } = await second.keeper.load();
  expect(values).toEqual({ title_original: 'വെളിച്ചം' });
  expect(Object.keys(files)).toEqual(['film_poster']);
  expect(second.keeper.key).toBe(first.keeper.key);
});

it('keeps forms apart', async () => {
  const asian = await keeper('asian');
  asian.keeper.changeFile('film_poster', poster);
  const indian = await keeper('indian');
  expect(await indian.keeper.load()).toEqual({ values: {}, files: {} });
  await indian.keeper.clear();
  await asian.keeper.clear();
  expect(indian.keeper.key).not.toBe(asian.keeper.key);
});

it('has a new key once something refused was changed, and after a success', async () => {
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

it('forgets everything when it is cleared', async () => {
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
  await vi.waitFor(async () => expect((await again.keeper.load()).values).toEqual({ title_original: 'abc' }));
});

it('says so where the browser keeps nothing', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('closed', 'SecurityError');
    },
  });
  const { keeper: draft, onKept } = await keeper();
  expect(await draft.load()).toEqual({ values: {}, files: {} });
  draft.change({ title_original: 'a' });
  await vi.waitFor(() => expect(onKept).toHaveBeenCalledWith('failed'));
});
