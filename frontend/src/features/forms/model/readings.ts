import { withAsciiDigits } from './clean-text';

/**
 * Parses texts by the kind of their field. The server parses by the same rules (`modules/forms/src/parse.rs`), and one
 * file of examples tests both.
 */
export interface Reading {
  /** The normalised value; empty if the text could not be parsed. */
  read: string;
  /** Whether the server will flag it for the organisers. */
  isOdd: boolean;
}

/** The country calling code of numbers without one, and how many digits follow it. */
const home = '91';
const homeDigits = 10;
/** Digits from which a number beside words is taken for a telephone number. */
const leastDigits = 7;

interface Telephone {
  hasPlus: boolean;
  digits: string;
  extension: string;
}

/** Reads telephone numbers; several are separated by ", ". */
export function readTelephone(text: string): Reading {
  const whole = text.includes('+') ? text.replaceAll('(0)', '') : text;
  const plain = withAsciiDigits(whole);
  const numbers: Telephone[] = [];
  let isOdd = plain !== whole;
  let hasWords = false;
  let extensionFollows = false;
  let current: Telephone = { hasPlus: false, digits: '', extension: '' };
  const end = () => {
    const number = current;
    current = { hasPlus: false, digits: '', extension: '' };
    if (!number.digits) return;
    const last = numbers.at(-1);
    if (last && extensionFollows) last.extension = number.digits;
    else if (last && last.digits.length < 6 && last.digits.startsWith('0') && !number.hasPlus) {
      last.digits += number.digits;
    } else numbers.push(number);
    isOdd ||= numbers.length > 1 || last !== undefined;
    extensionFollows = false;
  };
  for (const [token] of plain.matchAll(/\p{Alphabetic}+|[^\p{Alphabetic}]/gu)) {
    if (/^\d$/.test(token)) current.digits += token;
    else if (token === '+') {
      if (current.digits) end();
      current.hasPlus = true;
    } else if (token === '#' || /^\p{Alphabetic}/u.test(token)) {
      end();
      if (/^(#|x|ext|extn|extension)$/i.test(token)) extensionFollows = true;
      else hasWords = true;
    } else if (/^[,;/|&]$/.test(token)) end();
    else if (!/^[ ()-]$/.test(token)) isOdd = true;
  }
  end();
  // Beside words, short numbers are times, houses and postal codes.
  const isTelephone = (number: Telephone) => number.digits.length >= leastDigits || international(number) !== '';
  const read = (hasWords && numbers.length > 1 ? numbers.filter(isTelephone) : numbers).map(international);
  return {
    read: read.filter((number) => number !== '').join(', '),
    isOdd: isOdd || hasWords || read.length === 0 || read.includes(''),
  };
}

function international({ hasPlus, digits, extension }: Telephone): string {
  const local = (rest: string) => (rest.length === homeDigits ? home + rest : '');
  const withoutZero = (rest: string) => rest.replace(/^0/, '');
  const abroad = (rest: string) => {
    if (rest.startsWith(home)) return local(withoutZero(rest.slice(home.length)));
    return rest.length >= 8 && rest.length <= 15 ? rest : '';
  };
  let found: string;
  if (hasPlus) found = abroad(digits);
  else if (digits.startsWith('00')) found = abroad(digits.slice(2));
  else if (digits.length === home.length + homeDigits && digits.startsWith(home)) found = digits;
  else found = local(withoutZero(digits));
  if (!found) return '';
  return `+${found}${extension ? `;ext=${extension}` : ''}`;
}

type Counted = 'minutes' | 'year' | 'other';

/** Reads a whole number that is usually from `min` to `max`. */
export function readWholeNumber(text: string, counted: Counted, min: number, max: number): Reading {
  const plain = withAsciiDigits(text).toLowerCase();
  let number = written(plain) ?? (counted === 'minutes' ? hoursAndMinutes(plain) : null) ?? onlyNumberIn(plain);
  // "1.37" may be hours and minutes, "8.5" is a short film.
  if (number === null || (counted === 'minutes' && number < 6 && /\d[.,]\d/.test(plain)))
    return { read: '', isOdd: true };
  if (counted === 'year' && number >= 0 && number < 100) number += number <= max % 100 ? 2000 : 1900;
  const read = String(number);
  return { read, isOdd: read !== text || number < min || number > max };
}

function written(text: string): number | null {
  const parts = /^([+\u2212-]?)([\d.,]+)(?:e\+?(\d{1,2}))?$/.exec(text);
  if (!parts) return null;
  const [, sign = '', digits = '', power = '0'] = parts;
  const body = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits) ? digits.replaceAll(',', '') : digits.replaceAll(',', '.');
  if (!/^\d+(\.\d+)?$/.test(body)) return null;
  const size = rounded(Number(body) * 10 ** Number(power));
  // Zero without a sign.
  return size === null ? null : (['-', '\u2212'].includes(sign) ? -size : size) || 0;
}

function rounded(size: number): number | null {
  const whole = Math.floor(size + 0.5);
  return whole < 1e15 ? whole : null;
}

function hoursAndMinutes(text: string): number | null {
  const clock = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?$/.exec(text);
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]) + (Number(clock[3] ?? 0) >= 30 ? 1 : 0);
  let rest = text.trim();
  let minutes = 0;
  let seenHours = false;
  while (rest) {
    const part = /^(\d+(?:[.,]\d*)?)\s*(\p{Alphabetic}*)[ .,]*(?:and )?/u.exec(rest);
    if (!part) return null;
    const [whole, amount = '', unit = ''] = part;
    const size = Number(amount.replace(',', '.'));
    if (/^(h|hr|hrs|hour|hours)$/.test(unit)) {
      minutes += size * 60;
      seenHours = true;
    } else if (/^(m|min|mins|minute|minutes)$/.test(unit) || (unit === '' && seenHours && whole === rest)) {
      minutes += size;
    } else return null;
    rest = rest.slice(whole.length);
  }
  return seenHours ? rounded(minutes) : null;
}

function onlyNumberIn(text: string): number | null {
  const numbers = [...text.matchAll(/\d[\d.,]*/g)];
  const [only, another] = numbers;
  if (!only || another) return null;
  const number = written(only[0].replace(/[.,]+$/, ''));
  const isNegative = /[\u2212-]$/.test(text.slice(0, only.index));
  return number === null ? null : (isNegative ? -number : number) || 0;
}

/** Reads web addresses; several are separated by a space. */
export function readLink(text: string): Reading {
  const tokens = text
    .split(/\s+/u)
    .map(bare)
    .filter((token) => token !== '');
  const [first] = tokens;
  const alone = tokens.length === 1;
  if (first !== undefined && alone && isAddress(text)) return { read: text, isOdd: false };
  const found = tokens.flatMap((token) => {
    if (isAddress(token)) return [token];
    const hasPath = token.includes('/') || token.toLowerCase().startsWith('www.');
    return isHostWithPath(token) && (alone || hasPath) ? [`https://${token}`] : [];
  });
  return { read: found.join(' '), isOdd: !(alone && found.length === 1) };
}

function bare(word: string): string {
  const marks = /^[<>()[\]"'“”,;]+|[<>()[\]"'“”,;]+$/g;
  return word
    .replace(marks, '')
    .replace(/[.:!]+$/, '')
    .replace(marks, '');
}

function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]\S*$/iu.test(text);
}

function isHostWithPath(text: string): boolean {
  const labels = (text.split(/[/?#]/)[0] ?? '').split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => /^(?!-)[\p{Alphabetic}\p{N}-]+$/u.test(label)) &&
    /^\p{Alphabetic}{2,}$/u.test(labels.at(-1) ?? '')
  );
}

/** Whether a link would run code, or open a local file of the person who follows it: the server refuses it. */
export function runs(text: string): boolean {
  return /^(j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:/iu.test(text) || /^(data|file):\S/iu.test(text);
}

const emailName = /^[^\s<>()[\],;:\\"@]+$/u;
const hostLabel = /^(?!-)[\p{Alphabetic}\p{N}-]+(?<!-)$/u;

/** Reads an e-mail address; null if the server refuses it, as an input of the type `email` would. */
export function readEmail(text: string): Reading | null {
  const at = text.lastIndexOf('@');
  const [name, host] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || [...text].length > 254 || !emailName.test(name)) return null;
  if (!host.split('.').every((label) => hostLabel.test(label))) return null;
  const isUsual = host.includes('.') && new TextEncoder().encode(name).length <= 64 && !/^\.|\.$/.test(name);
  return { read: text, isOdd: !isUsual };
}
