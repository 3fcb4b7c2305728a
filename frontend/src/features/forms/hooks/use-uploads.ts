import { useEffect, useMemo, useState } from 'react';
import { useFirstPage } from '@/shared/api/boot';
import type { FormDescription } from '@/shared/api/generated/forms';
import type { FileUploads, UploadEvents, UploadState } from '../model/file-uploads';
import { useFormTools } from '../model/load-tools';

/** Uploads a form's files when they are chosen; null if its form has no files, or the code is still loading. */
export function useUploads(
  form: FormDescription,
  events: UploadEvents,
): { uploads: FileUploads | null; states: Record<string, UploadState> } {
  const { boot } = useFirstPage();
  const [states, setStates] = useState<Record<string, UploadState>>({});
  const tools = useFormTools();
  const uploads = useMemo(() => {
    if (!tools || !form.files_path) return null;
    return new tools.FileUploads(`${boot.api}${form.files_path}`, (field, state) =>
      setStates(({ [field]: _old, ...others }) => (state ? { ...others, [field]: state } : others)),
    );
  }, [tools, boot, form]);

  useEffect(() => uploads?.listen(events));
  useEffect(() => () => uploads?.clear(), [uploads]);

  return { uploads, states };
}
