/** Uploads a file as soon as it is chosen, and shows pictures: saving is fast then, and a preview can show the file. */
import { isPreview } from './leaving';
import { uploadPicture } from './pictures';
import { errorMessage, post, type UploadOptions } from './sending';
import { make } from './window';

/** A file in the store. */
interface StoredFile {
  key: string;
  /** Alternative text of a picture. */
  alt?: string;
}

/** Makes a file input upload its file at once. If that fails, the form submits the file. */
export function uploadOnChange(input: HTMLInputElement): void {
  const progress = make('progress', { max: '1', value: '0', 'aria-label': 'Uploaded' });
  const status = make('p', { class: 'hint', role: 'status' });
  const image = make('img', { alt: 'The chosen picture', class: 'chosen' });
  let upload = new AbortController();
  // A form that is saved in the meantime submits the file itself.
  input.form?.addEventListener('submit', (event) => {
    if (!isPreview(event)) upload.abort();
  });
  input.addEventListener('change', async () => {
    upload.abort();
    upload = new AbortController();
    const { signal } = upload;
    const file = input.files?.[0];
    for (const element of [progress, image]) element.remove();
    status.textContent = '';
    URL.revokeObjectURL(image.src);
    if (!file) return;
    const isPicture = file.type.startsWith('image/');
    if (isPicture) image.src = URL.createObjectURL(file);
    status.textContent = `Uploading ${file.name} …`;
    progress.value = 0;
    input.after(...(isPicture ? [image] : []), progress, status);
    const onProgress = (fraction: number) => {
      progress.value = fraction;
    };
    const options = { onProgress, signal };
    try {
      const stored: StoredFile = isPicture
        ? await uploadPicture(file, '', fieldOf(input, 'csrf'), options)
        : await uploadThroughForm(input, file, options);
      if (signal.aborted) return;
      setStoredFile(input, stored.key);
      if (isPicture) setAlt(input, stored.alt ?? '');
      const link = make('a', { href: `/media/${stored.key}`, target: '_blank' }, file.name);
      status.replaceChildren(link, ' uploaded. Save the form to use it.');
    } catch (error) {
      // Another file was chosen, or the form is being submitted.
      if (signal.aborted) return;
      status.textContent = error instanceof Error ? error.message : String(error);
    }
    progress.remove();
  });
}

/** Uploads a file through its form, which stores the file and does not save the row. */
async function uploadThroughForm(input: HTMLInputElement, file: File, options: UploadOptions): Promise<StoredFile> {
  const form = new FormData();
  for (const name of ['csrf', 'edition', 'version']) form.append(name, fieldOf(input, name));
  form.append('then', 'keep');
  form.append(input.name, file);
  const html = await post(input.form?.getAttribute('action') ?? '', form, options);
  const page = new DOMParser().parseFromString(html, 'text/html');
  const key = page.querySelector<HTMLInputElement>(`input[name="${storedFileName(input)}"]`)?.value;
  if (!key) throw new Error(errorMessage(html));
  return { key };
}

/** Returns the value of the form's field with this name, or "". */
function fieldOf(input: HTMLInputElement, name: string): string {
  const field = input.form?.elements.namedItem(name);
  return field && 'value' in field ? String(field.value) : '';
}

function storedFileName(input: HTMLInputElement): string {
  return `kept_${input.name}`;
}

/** Sets the alternative text of the picture in the form. */
function setAlt(input: HTMLInputElement, alt: string): void {
  const field = input.form?.querySelector<HTMLInputElement>(`input[name="${input.name}_alt"]`);
  if (field) field.value = alt;
}

/** Makes the form reference a stored file instead of submitting one. */
export function setStoredFile(input: HTMLInputElement, key: string): void {
  const name = storedFileName(input);
  const existing = input.form?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  const field = existing ?? make('input', { type: 'hidden', name });
  field.value = key;
  if (!existing) input.after(field);
  const remove = input.form?.querySelector<HTMLInputElement>(`input[name="remove_${input.name}"]`);
  if (remove) remove.checked = false;
  input.required = false;
  input.value = '';
}
