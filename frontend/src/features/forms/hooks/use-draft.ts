import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { FormDescription } from '@/shared/api/generated/forms';
import { type ChosenFile, chosen, type Ticket } from '../model/chosen-file';
import { DraftKeeper, type DraftStatus, NOTHING_SAVED } from '../model/draft-keeper';
import type { Values } from '../model/entries';
import { readValues, restoreValues } from '../model/form-element';
import { useOneTab } from './use-one-tab';

/** A form's entries, on the page and stored on the device. */
export interface DraftState {
  keeper: DraftKeeper;
  /** Another tab has the form open; `takeOver` continues with it here. */
  tab: { elsewhere: boolean; takeOver: () => void };
  values: Values;
  files: Record<string, ChosenFile>;
  saved: DraftStatus;
  /** Something was changed since the page was opened. */
  dirty: boolean;
  /** To be called after every change of an input. */
  changed: () => void;
  setFile: (name: string, file: File | null) => void;
  /** The server has a file of the form; null: no longer. */
  setTicket: (name: string, ticket: Ticket | null) => void;
  /** Clears the form and deletes what is stored on the device. */
  clear: () => Promise<void>;
}

/** Restores a form's stored entries and stores every change, unless another tab does. */
export function useDraft(form: FormDescription, element: RefObject<HTMLFormElement | null>): DraftState {
  const [saved, setSaved] = useState<DraftStatus>(NOTHING_SAVED);
  const [keeper] = useState(() => new DraftKeeper(form.key, setSaved));
  const tab = useOneTab(form.key, keeper.settled);
  const { elsewhere } = tab;
  const [values, setValues] = useState<Values>({});
  const [files, setFiles] = useState<Record<string, ChosenFile>>({});
  const [dirty, setDirty] = useState(false);
  const ready = useRef(false);
  /** Another tab has continued with the form: the entries here are outdated. */
  const stale = useRef(false);

  useEffect(() => {
    if (elsewhere) {
      ready.current = false;
      stale.current = true;
      return;
    }
    let gone = false;
    void keeper.load().then((loaded) => {
      if (gone || !element.current) return;
      if (stale.current) element.current.reset();
      const typed = restoreValues(element.current, loaded.values);
      const isStale = stale.current;
      setFiles((chosen) => (isStale ? loaded.files : { ...loaded.files, ...chosen }));
      stale.current = false;
      const now = readValues(element.current, form);
      setValues(now);
      ready.current = true;
      if (typed) {
        setDirty(true);
        keeper.change(now);
      }
    });
    return () => {
      gone = true;
    };
  }, [form, keeper, element, elsewhere]);

  const changed = useCallback(() => {
    if (!element.current) return;
    const now = readValues(element.current, form);
    setValues(now);
    setDirty(true);
    // Until the stored draft is restored, writing would overwrite it.
    if (ready.current) keeper.change(now);
  }, [form, keeper, element]);

  const setFile = useCallback(
    (name: string, file: File | null) => {
      setFiles(({ [name]: _replaced, ...others }) => (file ? { ...others, [name]: chosen(file) } : others));
      setDirty(true);
      keeper.changeFile(name, file);
    },
    [keeper],
  );

  const setTicket = useCallback(
    (name: string, ticket: Ticket | null) => {
      setFiles((files) => (files[name] ? { ...files, [name]: { ...files[name], ticket } } : files));
      keeper.changeTicket(name, ticket);
    },
    [keeper],
  );

  const clear = useCallback(() => {
    element.current?.reset();
    setFiles({});
    setDirty(false);
    if (element.current) setValues(readValues(element.current, form));
    return keeper.clear();
  }, [form, keeper, element]);

  return { keeper, tab, values, files, saved, dirty, changed, setFile, setTicket, clear };
}
