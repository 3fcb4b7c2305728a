import { codePoints } from '@/shared/api/generated/form-checks';

const invisible = new RegExp(codePoints.invisible, 'u');
const shaping = new RegExp(codePoints.shaping, 'u');
const shaped = new RegExp(codePoints.shaped, 'u');
const zeros = codePoints.zeros.split(' ').map((zero) => Number.parseInt(zero, 16));

const lineBreaks = /[\r\n\v\f\u0085\u2028\u2029]/;
const blank = /[\p{White_Space}\u2800]/u;
const control = /\p{Cc}/u;
const variation = /[\uFE00-\uFE0F]/;
const blanksAround = /^\p{White_Space}+|\p{White_Space}+$/gu;

/**
 * A text without invisible characters: trimmed, composed, with plain spaces; empty if nothing visible is left. The
 * server cleans by the same rules, and one file of examples tests both. Control characters stay: the server refuses
 * them.
 */
export function cleanText(text: string, lines: boolean): string {
  let cleaned = '';
  let last = '';
  let seen = false;
  for (const character of text.replaceAll('\r\n', '\n')) {
    const next = replaced(character, lines);
    if (invisible.test(next)) continue;
    const isShaping = shaping.test(next);
    if (isShaping && !shaped.test(last)) continue;
    seen ||= !(isShaping || blank.test(next) || variation.test(next));
    cleaned += next;
    last = next;
  }
  return seen ? cleaned.replace(blanksAround, '').normalize('NFC') : '';
}

function replaced(character: string, lines: boolean): string {
  if (lineBreaks.test(character)) return lines ? '\n' : ' ';
  if (character === '\t') return lines ? '\t' : ' ';
  return blank.test(character) && character !== '\u3000' ? ' ' : character;
}

/** Whether a cleaned text contains a control character, which the server refuses. */
export function hasControl(text: string): boolean {
  return control.test(text.replace(/[\t\n]/g, ''));
}

/** The same text with the decimal digits of every script as 0 to 9. */
export function withAsciiDigits(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      const zero = zeros.find((zero) => zero <= code && code < zero + 10);
      return zero === undefined ? character : String(code - zero);
    })
    .join('');
}
