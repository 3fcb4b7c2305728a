/**
 * How the programme's search reads words: one key for a word in an Indian script and for the ways in which people spell
 * it in Latin letters. കിരീടം, "Kireedam" and "Kiridam" have the key "kiritam". The back office searches by the same
 * keys: `core/records/src/search_key.rs` reads the same table of sounds, and tests/fixtures/search-keys.json proves that
 * the keys are equal.
 */
// oxlint-disable-next-line no-restricted-imports -- the one table of both searches
import sounds from '../../../../../core/records/src/sounds.json';

/** The scripts of India from Devanagari to Malayalam: blocks of the same layout, 0x80 signs each. */
const FIRST_INDIC = 0x900;
const LAST_INDIC = 0xd7f;
/** The first script of the south, whose words end with m where those of the north end with n. */
const FIRST_SOUTHERN = 0xb80;

/** First places of independent vowels, consonants, vowel signs and chillus in a block; the labials among consonants. */
const VOWEL = 0x05;
const CONSONANT = 0x15;
const LABIAL = 0x2a;
const LAST_CONSONANT = 0x39;
const SIGN = 0x3e;
const CHILLU = 0x7a;
const CANDRABINDU = 0x01;
const ANUSVARA = 0x02;
const NUKTA = 0x3c;
const VIRAMA = 0x4d;
/** The second half of a vowel sign; alone it is how Malayalam writes au today. */
const LENGTH_MARK = 0x57;
/** Malayalam's r above the next consonant. */
const DOT_REPH = 0xd4e;
/** The chillu letters of Malayalam. */
const CHILLUS = ['n', 'n', 'r', 'l', 'l', 'k'];

/** The words of a text: lower case, without diacritics, with decomposed chillus in the scripts of India. */
export function plainWords(text: string): string[] {
  const plain = text
    .normalize('NFD')
    // Accents of Latin, Greek and Cyrillic letters; the signs of other scripts belong to their words.
    .replace(/[\u0300-\u036f]/g, '')
    // Recomposes vowel signs of two parts.
    .normalize('NFC')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[øœ]/g, 'o')
    .replace(/æ/g, 'ae')
    .replace(/ł/g, 'l')
    .replace(/đ/g, 'd')
    .replace(/ı/g, 'i')
    .replace(/['’`´]/g, '');
  return plain.match(/[\p{L}\p{M}\p{N}\u200c\u200d]+/gu) ?? [];
}

/** The key of a plain word. */
export function keyOf(word: string): string {
  return fold(romanised(word));
}

/** Number of letters that may be wrong in a key; the back office forgives as many. */
export function forgivenIn(key: string): number {
  return sounds.forgiven.filter((length) => key.length >= length).length;
}

/** A word of an Indian script in Latin letters; others stay as they are. */
function romanised(word: string): string {
  let roman = '';
  // A consonant whose vowel is not known yet.
  let open = false;
  // Joiners affect how the signs around them are drawn, not which they are.
  let spoken = word.replace(/[\u200c\u200d]/g, '');
  for (const [written, sound] of sounds.spoken as [string, string][]) spoken = spoken.replaceAll(written, sound);
  const signs = [...spoken].map((sign) => sign.codePointAt(0) ?? 0);
  signs.forEach((code, at) => {
    const place = code & 0x7f;
    const isIndic = code >= FIRST_INDIC && code <= LAST_INDIC;
    const sign = place === LENGTH_MARK ? 'o' : sounds.signs[place - SIGN];
    if (isIndic && place === NUKTA) {
      // Of all letters with a dot only this one sounds different to those who spell it in Latin letters.
      if (roman.endsWith('j')) roman = `${roman.slice(0, -1)}z`;
    } else if (isIndic && (place === VIRAMA || sign !== undefined)) {
      roman += sign ?? '';
      open = false;
    } else {
      if (open) roman += 'a';
      const consonant = isIndic ? sounds.consonants[place - CONSONANT] : undefined;
      open = consonant !== undefined;
      if (consonant !== undefined) roman += consonant;
      else if (!isIndic) roman += String.fromCodePoint(code);
      else if (code === DOT_REPH) roman += 'r';
      else if (place === CANDRABINDU || place === ANUSVARA) roman += nasal(code, signs[at + 1]);
      else if (code >= DOT_REPH && place >= CHILLU) roman += CHILLUS[place - CHILLU] ?? '';
      else roman += sounds.vowels[place - VOWEL] ?? '';
    }
  });
  return open ? `${roman}a` : roman;
}

/** The sound of a nasal sign: by the consonant after it, and at the end of a word by the script. */
function nasal(code: number, next: number | undefined): string {
  const place = (next ?? 0) & 0x7f;
  if (next !== undefined && place >= CONSONANT && place <= LAST_CONSONANT) return place < LABIAL ? 'n' : 'm';
  return code < FIRST_SOUTHERN ? 'n' : 'm';
}

/** Equivalent spellings, in the order in which they are replaced. */
const SAME = sounds.same.map(([spelling, sound]) => [new RegExp(spelling as string, 'gu'), sound as string] as const);

/** Minimum length of a key that may lose its last vowel. */
const LONG_ENOUGH = 4;

function fold(roman: string): string {
  if (!/[a-z]/.test(roman)) return roman;
  let key = roman;
  for (const [spelling, sound] of SAME) key = key.replace(spelling, sound);
  key = key.replace(/(.)\1+/gu, '$1');
  // The half vowel at the end of words is written as u, as a or not at all.
  return key.length >= LONG_ENOUGH ? key.replace(/(?<=[^aeiou])[aue]$/, '') : key;
}
