/**
 * The scripts that identify a language, by their blocks. If a script is used by several languages, it is the one most
 * common among films: fonts, line breaks and voices differ little between them. The server's `core/base/src/lang.rs`
 * has the same table, and `tests/fixtures/lang.json` tests both.
 */
const SCRIPTS: readonly (readonly [first: number, last: number, language: string])[] = [
  [0x41, 0x5a, 'en'],
  [0x61, 0x7a, 'en'],
  [0xc0, 0x24f, 'en'],
  [0x370, 0x3ff, 'el'],
  [0x400, 0x52f, 'ru'],
  [0x531, 0x58f, 'hy'],
  [0x590, 0x5ff, 'he'],
  [0x600, 0x6ff, 'ar'],
  [0x750, 0x77f, 'ar'],
  [0x900, 0x97f, 'hi'],
  [0x980, 0x9ff, 'bn'],
  [0xa00, 0xa7f, 'pa'],
  [0xa80, 0xaff, 'gu'],
  [0xb00, 0xb7f, 'or'],
  [0xb80, 0xbff, 'ta'],
  [0xc00, 0xc7f, 'te'],
  [0xc80, 0xcff, 'kn'],
  [0xd00, 0xd7f, 'ml'],
  [0xd80, 0xdff, 'si'],
  [0xe00, 0xe7f, 'th'],
  [0xe80, 0xeff, 'lo'],
  [0xf00, 0xfff, 'bo'],
  [0x1000, 0x109f, 'my'],
  [0x10a0, 0x10ff, 'ka'],
  [0x1100, 0x11ff, 'ko'],
  [0x1200, 0x139f, 'am'],
  [0x1780, 0x17ff, 'km'],
  [0x1c90, 0x1cbf, 'ka'],
  [0x1e00, 0x1eff, 'en'],
  [0x1f00, 0x1fff, 'el'],
  [0x2d00, 0x2d2f, 'ka'],
  [0x3040, 0x30ff, 'ja'],
  [0x3130, 0x318f, 'ko'],
  [0x31f0, 0x31ff, 'ja'],
  [0x3400, 0x4dbf, 'zh'],
  [0x4e00, 0x9fff, 'zh'],
  [0xa8e0, 0xa8ff, 'hi'],
  [0xac00, 0xd7af, 'ko'],
  [0xf900, 0xfaff, 'zh'],
  [0xfb1d, 0xfb4f, 'he'],
  [0xfb50, 0xfdff, 'ar'],
  [0xfe70, 0xfefc, 'ar'],
  [0xff21, 0xff3a, 'en'],
  [0xff41, 0xff5a, 'en'],
  [0xff66, 0xff9d, 'ja'],
  [0x20000, 0x3ffff, 'zh'],
];

/** Texts of nothing but Latin letters, punctuation and digits. */
const LATIN = /^[\0-\x7f\xc0-\u024f\u2010-\u2027]*$/;

/**
 * The language whose letters are more than half of a text: "ml", "hi", "ar" and so on. "en" if at least half are Latin
 * or there are none, "" (unknown) if no script has a majority.
 */
export function languageOf(text: string): string {
  // Most texts of a page are. Counting their letters took the server's JavaScript engine a fifth of the home page's time.
  if (LATIN.test(text)) return 'en';
  const counts: Record<string, number> = {};
  let all = 0;
  for (const sign of text) {
    const language = languageOfSign(sign);
    if (language) counts[language] = (counts[language] ?? 0) + 1;
    if (language || /\p{Alphabetic}/u.test(sign)) all += 1;
  }
  const { en = 0, ja = 0, zh = 0 } = counts;
  if (en * 2 >= all) return 'en';
  // Japanese uses Chinese characters too, and is recognised by its own.
  if (ja > 0 && (ja + zh) * 2 > all) return 'ja';
  const dominant = Object.keys(counts).find((language) => (counts[language] ?? 0) * 2 > all) ?? '';
  return dominant === 'ar' ? arabic(text) : dominant;
}

function languageOfSign(sign: string): string | undefined {
  // Combining signs among the letters.
  if (sign === '×' || sign === '÷') return undefined;
  const code = sign.codePointAt(0) ?? 0;
  return SCRIPTS.find(([first, last]) => first <= code && code <= last)?.[2];
}

/** Urdu and Persian have letters of their own. */
function arabic(text: string): string {
  if (/[ٹڈڑںھےہ]/.test(text)) return 'ur';
  return /[پچژگکی]/.test(text) ? 'fa' : 'ar';
}

/** The `lang` of a text by organisers. */
export function langOf(text: string | null | undefined): string {
  return languageOf(text ?? '');
}

/** `lang` of a text by organisers, and `dir` if it is written from right to left. */
export function scriptOf(text: string | null | undefined): { lang: string; dir?: 'rtl' } {
  const lang = langOf(text);
  return ['ar', 'fa', 'ur', 'he'].includes(lang) ? { lang, dir: 'rtl' } : { lang };
}
