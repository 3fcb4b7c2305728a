// Prints the results of checks and sets the exit code.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

let failures = 0;

/** Prints a result and counts failures. */
export function check(sentence, good, seen = "") {
  if (!good) failures++;
  console.log(`${good ? "ok  " : "FAIL"}  ${sentence}${seen === "" ? "" : `: ${seen}`}`);
  return good;
}

/** The value of the option `--name value`, or the default. */
export function option(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
}

/** The value of an option that is a whole number. */
export function count(name, otherwise) {
  const number = Number(option(name, otherwise));
  if (Number.isInteger(number) && number > 0) return number;
  console.error(`--${name} must be a whole number above 0.`);
  process.exit(2);
}

/** Runs `work`; exits with 1 if a check failed. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    console.error(error);
    failures++;
  }
  console.log(failures === 0 ? "\nall passed" : `\n${failures} failed`);
  process.exit(failures === 0 ? 0 : 1);
}

/** Ends the script with 2: what it should check cannot be checked here. */
export function impossible(reason) {
  console.error(`not checked: ${reason}`);
  process.exit(2);
}

/** Installs a Debian package unless `isThere`; without it the script ends with 2. */
export function requirePackage(name, isThere) {
  if (isThere()) return;
  spawnSync(join(import.meta.dirname, "../../support/debian-packages.sh"), [name], { stdio: "inherit" });
  if (!isThere()) impossible(`this needs ${name} (Debian: apt-get install ${name})`);
}

/** Whether a program answers to its name with this argument. */
export const runs = (command, argument) => spawnSync(command, [argument]).status === 0;

/** Counts equal values: "201 x 12, 503 x 3". */
export function tally(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([value, many]) => `${value} x ${many}`).join(", ") || "none";
}

/** The repeated values. */
export const repeated = (values) => values.filter((value, at) => values.indexOf(value) !== at);
