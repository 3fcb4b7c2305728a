/** Fields of the form on the server; more files fit into an archive. */
const MAX_FILES = 20;

/** Lets the file input of a form take several files, each of which is sent in a field of its own: `files`, `files2`, ... */
export function takeSeveralFiles(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) return;
  const { name } = input;
  input.multiple = true;
  input.addEventListener('change', () => {
    const isTooMany = (input.files?.length ?? 0) > MAX_FILES;
    input.setCustomValidity(isTooMany ? `Choose at most ${MAX_FILES} files, or a ZIP archive of them.` : '');
  });
  form.addEventListener('formdata', ({ formData }) => {
    const files = formData.getAll(name).filter((file) => file instanceof File);
    formData.delete(name);
    // The first field takes the largest file.
    files.sort((left, right) => right.size - left.size);
    for (const [index, file] of files.entries()) formData.append(index === 0 ? name : `${name}${index + 1}`, file);
  });
}
