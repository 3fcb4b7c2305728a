import type { FormField } from '@/shared/api/generated/forms';
import { noteOn } from './checks';
import { NOT_DIGITS } from './entries';

/** Delay between leaving a field and its note, in milliseconds. */
const NOTE_AFTER_MS = 300;

/**
 * Shows the note about a field's entry; `contact` is the address for questions. It does not appear while something is
 * pressed, which would move under the finger. Returns a function that cancels it.
 */
export function showNote(
  field: FormField,
  { value, validity }: HTMLInputElement | HTMLTextAreaElement,
  contact: string | null,
  onNote: (note: string) => void,
): () => void {
  const note = validity.badInput ? NOT_DIGITS : noteOn(field, value, contact);
  let timer: ReturnType<typeof setTimeout>;
  const show = () => {
    if (document.querySelector('button:active, a:active, label:active, input:active')) wait();
    else onNote(note);
  };
  const wait = () => {
    timer = setTimeout(show, NOTE_AFTER_MS);
  };
  wait();
  return () => clearTimeout(timer);
}
