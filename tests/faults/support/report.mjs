// What was asked, what was seen, and whether that is good: lines on the terminal, and the exit code.

let failures = 0;

/** Prints a line and remembers whether it was good. */
export function check(sentence, good, seen = "") {
  if (!good) failures++;
  console.log(`${good ? "ok  " : "FAIL"}  ${sentence}${seen === "" ? "" : `: ${seen}`}`);
  return good;
}

/** A value of the command line, `--name value`, or the default. */
export function option(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
}

/** A whole number of the command line. */
export function count(name, otherwise) {
  const number = Number(option(name, otherwise));
  if (Number.isInteger(number) && number > 0) return number;
  console.error(`--${name} must be a whole number above 0.`);
  process.exit(2);
}

/** Runs `work`; ends with 1 if anything was not good. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    console.error(error);
    failures++;
  }
  console.log(failures === 0 ? "\nall good" : `\n${failures} not good`);
  process.exit(failures === 0 ? 0 : 1);
}

/** How many there are of each: "201 x 12, 503 x 3". */
export function tally(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([value, many]) => `${value} x ${many}`).join(", ") || "none";
}

/** Those of `values` that are there more than once. */
export const doubles = (values) => values.filter((value, at) => values.indexOf(value) !== at);
