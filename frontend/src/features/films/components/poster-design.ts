import type { Film } from '@/shared/api';
import { langOf } from '@/shared/lang';

/** How a poster is drawn: numbers that `film-poster.module.css` has rules for. */
interface PosterDesign {
  /** The section's two colours, 0 to 5; the server's cards have the same ones. */
  tone: number;
  /** Where the beam comes from and how wide it is, 0 to 7. */
  beam: number;
  /** Dark and light as they are, exchanged, or with the section's second dark: 0 to 2. */
  variant: number;
  /** Whether the text is at the bottom. */
  foot: boolean;
  /** The size of the title: an index of `SIZES`. */
  size: number;
  /** The title in the film's own language, if it differs and there is room for it. */
  other: string | null;
}

const TONES = 6;
const BEAMS = 8;
const VARIANTS = 3;

/** Sizes of the title in hundredths of the poster's width. */
export const SIZES = [36, 31, 27, 23.5, 20.5, 18, 15.8, 13.8, 12, 10.5, 9] as const;
/** Space for the text, in the same unit: width and height without the margins. */
const WIDTH = 83;
const HEIGHT = 124;
/** The size of the other title, and the height of its two lines. */
const OTHER_SIZE = 8.5;
const OTHER_HEIGHT = 30;

/** A film's poster is the same wherever and whenever it is drawn: it follows from its title and its section. */
export function designOf(film: Pick<Film, 'name' | 'original_title' | 'category_id'>): PosterDesign {
  const hash = hashOf(film.name);
  const other = otherOf(film);
  return {
    tone: film.category_id % TONES,
    beam: hash % BEAMS,
    variant: (hash >>> 8) % VARIANTS,
    foot: (hash >>> 4) % 2 === 0,
    size: sizeOf(film.name, other === null ? HEIGHT : HEIGHT - OTHER_HEIGHT),
    other,
  };
}

/** Titles too long for two lines are left out: half a title is of no use. */
function otherOf({ name, original_title }: Pick<Film, 'name' | 'original_title'>): string | null {
  if (!original_title || original_title === name) return null;
  // The text cut is about half as wide again as the closed one.
  const widths = partsOf(original_title).map((part) => 1.5 * widthOf(part));
  const width = WIDTH / OTHER_SIZE;
  return Math.max(...widths) <= width && linesOf(widths, width) <= 2 ? original_title : null;
}

/** FNV-1a: similar titles get very different numbers. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The largest size at which no word is broken and all lines fit. */
function sizeOf(text: string, height: number): number {
  const widths = partsOf(text).map(widthOf);
  const line = lineOf(langOf(text));
  const fits = (size: number) => {
    const width = WIDTH / size;
    return Math.max(...widths, 0) <= width && linesOf(widths, width) * line * size <= height;
  };
  const found = SIZES.findIndex(fits);
  return found < 0 ? SIZES.length - 1 : found;
}

/** Unbreakable pieces: words, and single characters of Chinese and Japanese. */
function partsOf(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  return words.flatMap((word) => (/[\u3040-\u30ff\u3400-\u9fff]/.test(word) ? [...word] : word.split(/(?<=-)/)));
}

/** Number of lines that these words need at a width in ems. */
function linesOf(widths: readonly number[], width: number): number {
  let lines = 1;
  let reached = 0;
  for (const next of widths) {
    if (reached > 0 && reached + BLANK + next > width) {
      lines += 1;
      reached = next;
    } else reached += (reached > 0 ? BLANK : 0) + next;
  }
  return lines;
}

const BLANK = 0.17;

/** Upper estimate of the width of a word in the closed cut, in ems. */
function widthOf(word: string): number {
  let width = 0;
  for (const sign of word) width += advanceOf(sign);
  return width;
}

function advanceOf(sign: string): number {
  const code = sign.codePointAt(0) ?? 0;
  if (/[iljtfrI.,:;'‘’‚!|()\u2010\u2011-]/.test(sign)) return 0.29;
  if (code < 0x250 || /[“”„–]/.test(sign)) {
    if (/[MWmw&@%]/.test(sign)) return 0.66;
    return /[CEFJLSTZceszk]/.test(sign) ? 0.4 : 0.46;
  }
  if (/\p{Mn}|\u200c|\u200d/u.test(sign)) return 0.1;
  if (/\p{Mc}/u.test(sign)) return 0.42;
  // Malayalam, Tamil; Kannada, Telugu; the other scripts of India; Arabic; Cyrillic and Greek; squares.
  if ((code >= 0xb80 && code < 0xc00) || (code >= 0xd00 && code < 0xd80)) return 0.74;
  if (code >= 0xc00 && code < 0xd00) return 0.68;
  if (code >= 0x900 && code < 0xb80) return 0.62;
  if (code >= 0x600 && code < 0x780) return 0.66;
  return code >= 0x1100 ? 1.02 : 0.64;
}

/** The height of a line: `--line-title` of the tokens. */
function lineOf(language: string): number {
  if (language === 'ml') return 1.25;
  if (/^(hi|bn|pa|gu|or|ta|te|kn|si)$/.test(language)) return 1.2;
  if (/^(zh|ja|ko)$/.test(language)) return 1.15;
  return language === 'en' || language === 'ru' || language === 'el' ? 0.98 : 1.35;
}
