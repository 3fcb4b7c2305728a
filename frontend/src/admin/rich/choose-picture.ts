/** Choosing a picture: one of those that are there, or a new one. Both come from the back office's page of pictures. */
import { type Listed, latest, send } from '../pictures';
import { ask, make } from '../window';

/** A picture to put into a text. */
export interface Chosen {
  src: string;
  alt: string;
}

/** The address of a picture in a text: as wide as a text is. */
function address(key: string): string {
  return `/media/${key}?w=1080`;
}

/**
 * Asks for a picture; `file` is one that was dropped or pasted. Answers nothing where none was chosen. `tell` hears how
 * the sending goes.
 */
export async function choosePicture(
  csrf: string,
  file: File | undefined,
  tell: (words: string) => void,
): Promise<Chosen | undefined> {
  const upload = make('input', { type: 'file', accept: 'image/jpeg,image/png,image/webp', id: 'picture-file' });
  if (file) {
    const carrier = new DataTransfer();
    carrier.items.add(file);
    upload.files = carrier.files;
  }
  const words = make('input', { id: 'picture-words', maxlength: '300', autocomplete: 'off' });
  const wrong = make('p', { class: 'wrong', role: 'alert' });
  const gallery = make('ul', { class: 'pictures small' });
  const content = [
    make('div', { class: 'field' }, make('label', { for: 'picture-file' }, 'A new picture'), upload),
    make('div', { class: 'field' }, make('label', { for: 'picture-words' }, 'What is to be seen?'), words),
    wrong,
    make('h3', {}, 'Or one of those that are there'),
    gallery,
  ];
  let picked: Listed | undefined;
  void latest().then((pictures) => {
    if (pictures.length === 0) gallery.append(make('li', {}, 'There are none yet.'));
    for (const [index, picture] of pictures.entries()) {
      const alt = picture.words || `Picture ${index + 1}`;
      const image = make('img', { src: `/media/${picture.key}?w=240`, alt, loading: 'lazy' });
      const radio = make('input', { type: 'radio', name: 'there', class: 'unseen' });
      radio.addEventListener('change', () => {
        picked = picture;
        upload.value = '';
        words.value = picture.words;
      });
      gallery.append(make('li', {}, make('label', {}, radio, image)));
    }
  });
  upload.addEventListener('change', () => {
    picked = undefined;
    for (const radio of gallery.querySelectorAll('input')) radio.checked = false;
  });
  for (;;) {
    const answer = await ask('Picture', content, [['insert', 'Put it in']]);
    if (answer !== 'insert') return undefined;
    const chosen = upload.files?.[0];
    if (picked) return { src: address(picked.key), alt: words.value.trim() };
    if (!chosen) {
      wrong.textContent = 'Please choose a picture.';
      continue;
    }
    try {
      tell(`Sending ${chosen.name} …`);
      const kept = await send(chosen, words.value.trim(), csrf);
      return { src: address(kept.key), alt: words.value.trim() };
    } catch (error) {
      wrong.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      tell('');
    }
  }
}
