const between = /[\p{White_Space}\u2014\u2015\uFEFF\u200B]+/u;
const letterOrDigit = /[\p{Alphabetic}\p{N}]/u;

/**
 * How many words a text has: runs between white space and long dashes that contain a letter or a digit of any script.
 * The server counts by the same rule; one file of examples tests both.
 */
export function countWords(text: string): number {
  return text.split(between).filter((run) => letterOrDigit.test(run)).length;
}
