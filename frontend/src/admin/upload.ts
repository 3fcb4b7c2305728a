/** A picture is seen and sent when it is chosen; saving the form is quick then, and a preview has it. */
import { send } from './pictures';
import { make } from './window';

/** Makes a file input of a form send its picture at once. Where that fails, the form sends it. */
export function sendAtOnce(input: HTMLInputElement): void {
  const progress = make('progress', { max: '1', value: '0', 'aria-label': 'Sent' });
  const said = make('p', { class: 'hint', role: 'status' });
  const image = make('img', { alt: 'The picture that was chosen', class: 'chosen' });
  input.addEventListener('change', async () => {
    const file = input.files?.[0];
    for (const shown of [progress, image]) shown.remove();
    said.textContent = '';
    URL.revokeObjectURL(image.src);
    if (!file?.type.startsWith('image/')) return;
    image.src = URL.createObjectURL(file);
    said.textContent = `Sending ${file.name} …`;
    progress.value = 0;
    input.after(image, progress, said);
    try {
      const csrf = input.form?.querySelector<HTMLInputElement>('input[name="csrf"]')?.value ?? '';
      const kept = await send(file, '', csrf, (part) => (progress.value = part));
      // Another was chosen meanwhile.
      if (input.files?.[0] !== file) return;
      keep(input, kept.key);
      describe(input, kept.words);
      said.textContent = `${file.name} is here. Save the form to use it.`;
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : String(error);
    }
    progress.remove();
  });
}

/** The words beside the picture are those of the one that is there now. */
function describe(input: HTMLInputElement, words: string): void {
  const line = input.form?.querySelector<HTMLInputElement>(`input[name="${input.name}_alt"]`);
  if (line) line.value = words;
}

/** The form names the picture that is kept, and sends no file. */
export function keep(input: HTMLInputElement, key: string): void {
  const name = `kept_${input.name}`;
  const there = input.form?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  const kept = there ?? make('input', { type: 'hidden', name });
  kept.value = key;
  if (!there) input.after(kept);
  const away = input.form?.querySelector<HTMLInputElement>(`input[name="remove_${input.name}"]`);
  if (away) away.checked = false;
  input.required = false;
  input.value = '';
}
