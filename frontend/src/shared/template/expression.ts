/**
 * How the build turns data into Handlebars.
 *
 * While the build prints a page, data are not there yet. A component gets an expression instead: a proxy that looks
 * like the data and prints `{{path}}`. React would escape the braces' quotes, so what is printed at first are
 * tokens (a number between two private-use characters); `resolveTokens` puts the Handlebars text in at the end.
 */

const OPEN = '\uE000';
const CLOSE = '\uE001';
const TOKEN = /\uE000(\d+)\uE001/g;
const SOURCE = Symbol('source');

interface Entry {
  /** What stands in the template. */
  text: string;
  /** The Handlebars expression, where the token is a value. */
  source?: string;
}

let printing = false;
let entries: Entry[] = [];
let names = 0;

/** True while the build prints a template. */
export function isPrinting(): boolean {
  return printing;
}

/** Runs `render` with expressions in place of data and answers what it returns, tokens still in. */
export function printWith<T>(render: () => T): T {
  printing = true;
  entries = [];
  names = 0;
  try {
    return render();
  } finally {
    printing = false;
  }
}

/** A token for Handlebars text such as `{{#if film_1.poster}}`. */
export function token(text: string, source?: string): string {
  entries.push({ text, source });
  return `${OPEN}${entries.length - 1}${CLOSE}`;
}

/** Puts the Handlebars text in place of the tokens; braces that the page itself wrote would be read as Handlebars, so they are refused. */
export function resolveTokens(html: string): string {
  if (html.includes('{{'))
    throw new Error(`"{{" in the text of a page: ${html.slice(html.indexOf('{{') - 40).slice(0, 120)}`);
  return html.replace(TOKEN, (_, index) => entryAt(index).text);
}

/** A name for a block parameter that no other block of the template has. */
export function blockName(stem: string): string {
  names += 1;
  return `${stem}_${names}`;
}

/** The Handlebars expression behind a value, e.g. `film_1.name`; null for ordinary data. */
export function sourceOf(value: unknown): string | null {
  return typeof value === 'object' && value !== null ? ((value as { [SOURCE]?: string })[SOURCE] ?? null) : null;
}

/** The `(api ..)` expression for a key that may have expressions in it. */
export function apiSource(key: string): string {
  const parts = key.split(TOKEN).map((part, index) => {
    // Odd parts are what the token's brackets held.
    return index % 2 === 0 ? (part ? JSON.stringify(part) : '') : (entryAt(part).source ?? '');
  });
  return `(api ${parts.filter(Boolean).join(' ')})`;
}

/** Data that are not there yet: prints itself as text, as attribute and inside strings, and answers properties. */
export function expression<T>(source: string): T {
  const print = () => token(source.startsWith('(') ? `{{${source.slice(1, -1)}}}` : `{{${source}}}`, source);
  return new Proxy({} as object, {
    get(_, property) {
      if (property === SOURCE) return source;
      if (property === Symbol.toPrimitive) {
        return (hint: string) => {
          if (hint === 'number') throw new Error(`computing on ${source} in the first render`);
          return print();
        };
      }
      // React prints an iterable as its items: one text.
      if (property === Symbol.iterator) return () => [print()].values();
      // What React and promises look for; data never have it.
      if (typeof property === 'symbol' || /^(\$\$|_|then$|toJSON$)/.test(property)) return undefined;
      if (['toString', 'valueOf'].includes(property)) return print;
      return expression(propertySource(source, property));
    },
  }) as T;
}

function propertySource(source: string, property: string): string {
  if (/^\d+$/.test(property)) return `(lookup ${source} ${property})`;
  return source.startsWith('(') ? `(lookup ${source} "${property}")` : `${source}.${property}`;
}

function entryAt(index: string | undefined): Entry {
  const entry = entries[Number(index)];
  if (!entry) throw new Error(`a token of another page: ${index}`);
  return entry;
}
