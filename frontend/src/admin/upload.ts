/** A file is sent when it is chosen, and a picture seen; saving the form is quick then, and a preview has it. */
import { isPreview } from './leaving';
import { send } from './pictures';
import { type Progress, post, problem } from './sending';
import { make } from './window';

/** A file as the server keeps it. */
interface Kept {
  key: string;
  /** What is to be seen on a picture. */
  words?: string;
}

/** Makes a file input of a form send its file at once. Where that fails, the form sends it. */
export function sendAtOnce(input: HTMLInputElement): void {
  const progress = make('progress', { max: '1', value: '0', 'aria-label': 'Sent' });
  const said = make('p', { class: 'hint', role: 'status' });
  const image = make('img', { alt: 'The picture that was chosen', class: 'chosen' });
  let sending = new AbortController();
  // A form that is saved meanwhile takes the file with it.
  input.form?.addEventListener('submit', (event) => {
    if (!isPreview(event)) sending.abort();
  });
  input.addEventListener('change', async () => {
    sending.abort();
    sending = new AbortController();
    const { signal } = sending;
    const file = input.files?.[0];
    for (const shown of [progress, image]) shown.remove();
    said.textContent = '';
    URL.revokeObjectURL(image.src);
    if (!file) return;
    const isPicture = file.type.startsWith('image/');
    if (isPicture) image.src = URL.createObjectURL(file);
    said.textContent = `Sending ${file.name} …`;
    progress.value = 0;
    input.after(...(isPicture ? [image] : []), progress, said);
    const tell = (part: number) => {
      progress.value = part;
    };
    const going = { tell, signal };
    try {
      const kept: Kept = isPicture
        ? await send(file, '', fieldOf(input, 'csrf'), going)
        : await sendOne(input, file, going);
      if (signal.aborted) return;
      keep(input, kept.key);
      if (isPicture) describe(input, kept.words ?? '');
      const name = make('a', { href: `/media/${kept.key}`, target: '_blank' }, file.name);
      said.replaceChildren(name, ' is here. Save the form to use it.');
    } catch (error) {
      // Another was chosen meanwhile, or the form is on its way.
      if (signal.aborted) return;
      said.textContent = error instanceof Error ? error.message : String(error);
    }
    progress.remove();
  });
}

/** Sends one file through its form, which keeps it and writes nothing. */
async function sendOne(input: HTMLInputElement, file: File, progress: Progress): Promise<Kept> {
  const form = new FormData();
  for (const name of ['csrf', 'edition', 'mark']) form.append(name, fieldOf(input, name));
  form.append('then', 'keep');
  form.append(input.name, file);
  const html = await post(input.form?.action ?? '', form, progress);
  const page = new DOMParser().parseFromString(html, 'text/html');
  const key = page.querySelector<HTMLInputElement>(`input[name="${keptName(input)}"]`)?.value;
  if (!key) throw new Error(problem(html));
  return { key };
}

/** What the form's field of this name says; "" where it has none. */
function fieldOf(input: HTMLInputElement, name: string): string {
  const field = input.form?.elements.namedItem(name);
  return field && 'value' in field ? String(field.value) : '';
}

function keptName(input: HTMLInputElement): string {
  return `kept_${input.name}`;
}

/** The words beside the picture are those of the one that is there now. */
function describe(input: HTMLInputElement, words: string): void {
  const line = input.form?.querySelector<HTMLInputElement>(`input[name="${input.name}_alt"]`);
  if (line) line.value = words;
}

/** The form names the file that is kept, and sends no file. */
export function keep(input: HTMLInputElement, key: string): void {
  const name = keptName(input);
  const there = input.form?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  const kept = there ?? make('input', { type: 'hidden', name });
  kept.value = key;
  if (!there) input.after(kept);
  const away = input.form?.querySelector<HTMLInputElement>(`input[name="remove_${input.name}"]`);
  if (away) away.checked = false;
  input.required = false;
  input.value = '';
}
