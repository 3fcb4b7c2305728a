import { useEffect, useState } from 'react';
import { useFirstPage } from '@/shared/api/boot';
import type { FormDescription } from '@/shared/api/generated/forms';
import { FileUploads, type UploadEvents, type UploadState } from '../model/file-uploads';

/** Uploads a form's files when they are chosen; null: its form takes none. */
export function useUploads(
  form: FormDescription,
  events: UploadEvents,
): { uploads: FileUploads | null; states: Record<string, UploadState> } {
  const { boot } = useFirstPage();
  const [states, setStates] = useState<Record<string, UploadState>>({});
  const [uploads] = useState(() => {
    if (!form.files_path) return null;
    return new FileUploads(`${boot.api}${form.files_path}`, (field, state) =>
      setStates(({ [field]: _old, ...others }) => (state ? { ...others, [field]: state } : others)),
    );
  });

  useEffect(() => uploads?.listen(events));
  useEffect(() => () => uploads?.clear(), [uploads]);

  return { uploads, states };
}
