import { isPrinting, sourceOf, token } from './expression';

const MALAYALAM = /[\u0D00-\u0D7F]/u;
const LATIN = /[A-Za-z\u00C0-\u024F\u1E00-\u1EFF]/u;
const LETTER = /\p{Alphabetic}/u;

/** What the letters of a text say: Malayalam, English (also where there are none), or unknown for other scripts. */
export function languageOf(text: string): 'ml' | 'en' | '' {
  let malayalam = 0;
  let latin = 0;
  let other = 0;
  for (const sign of text) {
    if (MALAYALAM.test(sign)) malayalam += 1;
    else if (LATIN.test(sign)) latin += 1;
    else if (LETTER.test(sign)) other += 1;
  }
  if (malayalam > latin + other) return 'ml';
  return latin >= malayalam + other ? 'en' : '';
}

/** The `lang` of what organisers wrote: `{{lang ..}}` in the template. */
export function langOf(text: string | null | undefined): string {
  const source = isPrinting() ? sourceOf(text) : null;
  return source === null ? languageOf(text ?? '') : token(`{{lang ${source}}}`);
}
