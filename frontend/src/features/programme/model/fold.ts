/**
 * How the programme's search reads words: one key for a word in an Indian script and for the ways in which people spell
 * it in Latin letters. കിരീടം, "Kireedam" and "Kiridam" have the key "kiritam". The back office searches by the same
 * keys: `core/records/src/search_key.rs`; tests/fixtures/search-keys.json proves that they are equal.
 */

/** The scripts of India from Devanagari to Malayalam: blocks of the same layout, 0x80 signs each. */
const FIRST_INDIC = 0x900;
const LAST_INDIC = 0xd7f;

/** Independent vowels, from 0x05 of a block on; the vowel signs from 0x3e on are those from the second one on. */
const VOWELS = ['a', 'a', 'i', 'i', 'u', 'u', 'ri', 'li', 'e', 'e', 'e', 'e', 'o', 'o', 'o', 'o'];
/** Vowel signs, from 0x3e of a block on. */
const SIGNS = ['a', 'i', 'i', 'u', 'u', 'ri', 'ri', 'e', 'e', 'e', 'e', 'o', 'o', 'o', 'o'];
/** Consonants, from 0x15 of a block on, as they are usually spelt. */
const CONSONANTS = 'k kh g gh ng ch chh j jh nj t th d dh n t th d dh n n p ph b bh m y r r l l zh v sh sh s h'.split(
  ' ',
);
const VIRAMA = 0x4d;
const ANUSVARA = 0x02;
/** The chillu letters of Malayalam, from 0x7a of its block on. */
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

/** A word of an Indian script in Latin letters; others stay as they are. */
function romanised(word: string): string {
  let roman = '';
  // A consonant whose vowel is not known yet.
  let open = false;
  // In Malayalam the letter for a hard r is a t where it is doubled or follows n.
  const spoken = word
    .replace(/\u0d31\u0d4d(?=\u0d31)/g, '\u0d24\u0d4d')
    .replace(/(?<=\u0d24\u0d4d|\u0d28\u0d4d|\u0d7b|\u0d7b\u0d4d)\u0d31/g, '\u0d24');
  for (const sign of spoken) {
    const code = sign.codePointAt(0) ?? 0;
    if (code < FIRST_INDIC || code > LAST_INDIC) {
      // Joiners affect how the signs around them are drawn, not which they are.
      if (sign !== '\u200c' && sign !== '\u200d') roman += `${open ? 'a' : ''}${sign}`;
      else continue;
      open = false;
      continue;
    }
    const place = code & 0x7f;
    const vowelSign = SIGNS[place - 0x3e];
    if (place === VIRAMA) open = false;
    else if (vowelSign !== undefined || place === 0x57) {
      // The length mark alone is how Malayalam writes au today.
      roman += vowelSign ?? 'o';
      open = false;
    } else {
      if (open) roman += 'a';
      open = false;
      const consonant = CONSONANTS[place - 0x15];
      if (consonant !== undefined) {
        roman += consonant;
        open = true;
      } else if (place === ANUSVARA) roman += 'm';
      else if (code >= 0xd7a) roman += CHILLUS[place - 0x7a] ?? '';
      else roman += VOWELS[place - 0x05] ?? '';
    }
  }
  return open ? `${roman}a` : roman;
}

/** Equivalent spellings, in the order in which they are replaced. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/zh/g, 'l'],
  [/sch|sh|z/g, 's'],
  [/ch|j/g, '!'],
  [/c(?=[eiy])/g, 's'],
  [/x/g, 'ks'],
  [/[cqg]/g, 'k'],
  [/w/g, 'v'],
  [/ph|f|b/g, 'p'],
  [/d/g, 't'],
  [/!/g, 'c'],
  [/(?<=.)h/g, ''],
  [/aa+/g, 'a'],
  [/ee+|ii+|ea/g, 'i'],
  [/oo+|uu+/g, 'u'],
  [/ou|au|ow|av(?![aeiou])/g, 'o'],
  [/ai|ei|ay(?![aeiou])|ey(?![aeiou])/g, 'e'],
  [/iy(?=[aeou])/g, 'i'],
  [/y$/, 'i'],
  // The vowel letters i and e are one sound in many spellings; mb and mp, nk and ng are unified already.
  [/n(?=[p])/g, 'm'],
  [/(.)\1+/gu, '$1'],
];

/** Minimum length of a key that may lose its last vowel. */
const LONG_ENOUGH = 4;

function fold(roman: string): string {
  if (!/[a-z]/.test(roman)) return roman;
  let key = roman;
  for (const [spelling, sound] of SAME) key = key.replace(spelling, sound);
  // The half vowel at the end of words is written as u, as a or not at all.
  return key.length >= LONG_ENOUGH ? key.replace(/(?<=[^aeiou])[aue]$/, '') : key;
}
