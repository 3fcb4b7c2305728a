/** Dialog to choose a picture from the library or upload a new one. */
import { type LibraryPicture, latest, uploadPicture } from '../pictures';
import { ask, make } from '../window';

/** A picture to insert into a text. */
interface ChosenPicture {
  src: string;
  alt: string;
}

/** Returns the address of a picture at the width of a text. */
function address(key: string): string {
  return `/media/${key}?w=1080`;
}

/**
 * Asks for a picture; `file` is one that was dropped or pasted. Returns undefined if none was chosen. `onStatus` gets
 * messages about the upload.
 */
export async function choosePicture(
  csrf: string,
  file: File | undefined,
  onStatus: (message: string) => void,
): Promise<ChosenPicture | undefined> {
  const upload = make('input', {
    type: 'file',
    accept: 'image/jpeg,image/png,image/webp,image/gif,image/bmp',
    id: 'picture-file',
  });
  if (file) {
    const carrier = new DataTransfer();
    carrier.items.add(file);
    upload.files = carrier.files;
  }
  const alt = make('input', { id: 'picture-alt', maxlength: '300', autocomplete: 'off' });
  const wrong = make('p', { class: 'wrong', role: 'alert' });
  const gallery = make('ul', { class: 'pictures small' });
  const content = [
    make('div', { class: 'field' }, make('label', { for: 'picture-file' }, 'Upload a picture'), upload),
    make(
      'div',
      { class: 'field' },
      make('label', { for: 'picture-alt' }, 'Describe the picture (alternative text)'),
      alt,
    ),
    wrong,
    make('h3', {}, 'Or choose one from the library'),
    gallery,
  ];
  let picked: LibraryPicture | undefined;
  void latest().then((pictures) => {
    if (pictures.length === 0) gallery.append(make('li', {}, 'No pictures yet'));
    for (const [index, picture] of pictures.entries()) {
      const label = picture.alt || `Picture ${index + 1}`;
      const image = make('img', { src: `/media/${picture.key}?w=240`, alt: label, loading: 'lazy' });
      const radio = make('input', { type: 'radio', name: 'library', class: 'visually-hidden' });
      radio.addEventListener('change', () => {
        picked = picture;
        upload.value = '';
        alt.value = picture.alt;
      });
      gallery.append(make('li', {}, make('label', {}, radio, image)));
    }
  });
  upload.addEventListener('change', () => {
    picked = undefined;
    for (const radio of gallery.querySelectorAll('input')) radio.checked = false;
  });
  for (;;) {
    const answer = await ask('Picture', content, [['insert', 'Insert']]);
    if (answer !== 'insert') return undefined;
    const chosen = upload.files?.[0];
    if (picked) return { src: address(picked.key), alt: alt.value.trim() };
    if (!chosen) {
      wrong.textContent = 'Choose a picture.';
      continue;
    }
    try {
      onStatus(`Uploading ${chosen.name} …`);
      const stored = await uploadPicture(chosen, alt.value.trim(), csrf);
      return { src: address(stored.key), alt: alt.value.trim() };
    } catch (error) {
      wrong.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      onStatus('');
    }
  }
}
