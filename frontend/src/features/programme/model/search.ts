/**
 * The search of the programme: one mechanism for browser, server and offline. Each word of the query is compared with a
 * few thousand words; that takes milliseconds and needs no index that would have to be sent.
 */
import type { Programme, ProgrammeFilm, Screening } from '@/shared/api';
import { forgivenIn, keyOf, plainWords } from './fold';
import { isOver } from './times';

/** A result: a film, or a screening that is more than its films. */
export interface Hit {
  film: ProgrammeFilm | null;
  /** Its screenings, in their order. */
  screenings: Screening[];
}

/** Weight of the words in a field. */
const WORTH = { title: 10, person: 6, guest: 5, section: 3, fact: 2.5, text: 1 } as const;

/** Words that need not match. */
const SMALL_WORDS = new Set(
  'the a an of in on at and to for from with by der die das la le les el il un une'.split(' '),
);

/** A word of the programme, with its weight in each entry. */
interface Word {
  plain: string;
  key: string;
  places: Map<number, number>;
}

interface Entry extends Hit {
  /** Number of words in its longest title. */
  titleWords: number;
  /** Its titles as keys without spaces. */
  whole: string[];
}

/** A programme prepared for searching. */
export interface SearchIndex {
  entries: Entry[];
  words: Word[];
}

/** Prepares a programme for searching. */
export function indexProgramme({ films, screenings, halls }: Pick<Programme, 'films' | 'screenings' | 'halls'>) {
  const words = new Map<string, Word>();
  const entries: Entry[] = [];
  const hallNames = new Map(halls.map((hall) => [hall.id, `${hall.name} ${hall.venue ?? ''}`]));

  const addWord = (plain: string, worth: number) => {
    const word = words.get(plain) ?? { plain, key: keyOf(plain), places: new Map() };
    words.set(plain, word);
    const entry = entries.length - 1;
    word.places.set(entry, Math.max(word.places.get(entry) ?? 0, worth));
  };
  const add = (text: string | null, worth: number) => {
    const plain = plainWords(text ?? '');
    for (const word of plain) addWord(word, worth);
    // So that "Rainroad" matches as well.
    if (worth < WORTH.guest) return;
    for (const [at, word] of plain.entries()) if (at > 0) addWord(`${plain[at - 1]}${word}`, worth * 0.9);
  };
  const begin = (film: ProgrammeFilm | null, shown: Screening[], titles: (string | null)[]) => {
    const named = titles.map((title) => plainWords(title ?? '')).filter((title) => title.length > 0);
    entries.push({
      film,
      screenings: shown,
      titleWords: Math.min(...named.map((title) => title.length)),
      whole: named.map((title) => title.map(keyOf).join('')),
    });
    for (const title of titles) add(title, WORTH.title);
    for (const { guests, title, hall, language } of shown) {
      add(title, WORTH.section);
      for (const guest of guests) add(guest, WORTH.guest);
      add(hallNames.get(hall) ?? null, WORTH.fact);
      add(language, WORTH.fact);
    }
  };

  for (const film of films) {
    begin(
      film,
      screenings.filter((screening) => screening.films.includes(film.id)),
      [film.title, film.original_title],
    );
    for (const director of film.directors) add(director, WORTH.person);
    add(film.section.name, WORTH.section);
    for (const fact of [...film.countries, ...film.languages]) add(fact, WORTH.fact);
    add(film.synopsis, WORTH.text);
  }
  for (const screening of screenings) if (screening.films.length !== 1) begin(null, [screening], [screening.title]);
  return { entries, words: [...words.values()] } satisfies SearchIndex;
}

/** A result with what it is worth: more where a title matched, less where only a fact or a text did. */
export interface RankedHit extends Hit {
  score: number;
}

/** Searches; the best result comes first. */
export function search(index: SearchIndex, query: string): RankedHit[] {
  const asked = plainWords(query);
  if (asked.length === 0) return [];
  const scores = new Map<number, number>();
  const raise = (found: Map<number, number>, share: number) => {
    for (const [entry, score] of found) scores.set(entry, Math.max(scores.get(entry) ?? 0, score * share));
  };
  const matches = asked.map((word) => matchesOf(index, word));
  raise(together(asked, matches), 1);
  if (asked.length > 1) raise(matchesOf(index, asked.join('')), asked.length * 0.9);
  const whole = asked.map(keyOf).join('');
  const ranked = [...scores].map(([at, score]) => {
    const entry = index.entries[at] as Entry;
    // Exact titles come before titles that contain the query among other words. Those of one person or country are worth
    // the same, however long their titles are.
    const inTitle = score > asked.length * WORTH.person ? asked.length / Math.max(asked.length, entry.titleWords) : 0;
    return { ...entry, score: score + (entry.whole.includes(whole) ? 20 : inTitle) };
  });
  return ranked.sort((one, other) => other.score - one.score);
}

/**
 * Searches screenings: those of the best result first, of equal ones those that begin first; those that are over at
 * `now`, in milliseconds, come after the others of their rank.
 */
export function searchScreenings(index: SearchIndex, query: string, now: number | null): Screening[] {
  const ranks = new Map<Screening, number>();
  for (const { score, screenings } of search(index, query))
    for (const screening of screenings) ranks.set(screening, Math.max(ranks.get(screening) ?? 0, score));
  const late = (screening: Screening) => Number(now !== null && isOver(screening, now));
  return [...ranks]
    .sort(
      ([one, rank], [other, otherRank]) =>
        otherRank - rank || late(one) - late(other) || Date.parse(one.starts_at) - Date.parse(other.starts_at),
    )
    .map(([screening]) => screening);
}

/** Entries that match all words; if there are none, those that lack one. */
function together(asked: string[], matches: Map<number, number>[]): Map<number, number> {
  const sums = new Map<number, { sum: number; missing: number }>();
  const needed = asked.filter((word) => !SMALL_WORDS.has(word)).length || asked.length;
  asked.forEach((word, at) => {
    const counts = needed === asked.length || !SMALL_WORDS.has(word);
    for (const [entry, score] of matches[at] ?? []) {
      const so = sums.get(entry) ?? { sum: 0, missing: needed };
      sums.set(entry, { sum: so.sum + score * (counts ? 1 : 0.1), missing: so.missing - (counts ? 1 : 0) });
    }
  });
  const least = Math.min(...[...sums.values()].map(({ missing }) => missing));
  if (least > (needed > 2 ? 1 : needed > 1 && [...sums.values()].some(({ sum }) => sum > WORTH.person) ? 1 : 0))
    return new Map();
  return new Map([...sums].filter(([, { missing }]) => missing === least).map(([entry, { sum }]) => [entry, sum]));
}

/** Score of each entry for a word of the query. */
function matchesOf({ words }: SearchIndex, typed: string): Map<number, number> {
  const key = keyOf(typed);
  const found = new Map<number, number>();
  for (const word of words) {
    const likeness = likenessOf(typed, key, word);
    if (likeness === 0) continue;
    for (const [entry, worth] of word.places) {
      const score = worth * likeness;
      if (score > (found.get(entry) ?? 0)) found.set(entry, score);
    }
  }
  return found;
}

/** Similarity of a word of the query to one of the programme, from 0 to 1. */
function likenessOf(typed: string, key: string, word: Word): number {
  if (word.plain === typed) return 1;
  if (word.key === key) return 0.95;
  if (word.plain.startsWith(typed)) return 0.85;
  if (key.length > 1 && word.key.startsWith(key)) return 0.8;
  if (key.length < 3) return 0;
  if (word.key.includes(key)) return 0.5;
  const allowed = forgivenIn(key);
  if (allowed === 0) return 0;
  const whole = distance(key, word.key, allowed);
  if (whole <= allowed) return 0.7 - 0.15 * whole;
  // While typing: a misspelt prefix.
  if (key.length < 5 || word.key.length <= key.length) return 0;
  const beginning = distance(key, word.key.slice(0, key.length), 1);
  return beginning <= 1 ? 0.4 : 0;
}

/** Edit distance: letters to change, add, remove or swap with their neighbour; above `most` any larger number. */
export function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      next.push(least);
    }
    if (Math.min(...next) > most) return most + 1;
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
