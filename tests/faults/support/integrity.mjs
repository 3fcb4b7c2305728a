// The integrity of stored data: rows, files, references, database.
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { eachFile } from "./archive.mjs";
import { fingerprint } from "./files.mjs";
import { FILE_FIELDS, titleOf } from "./forms.mjs";
import { pause } from "./program.mjs";

/** All rows by kind, without the files' contents. */
export async function rows(festival) {
  return { film: await festival.submissions("film"), delegate: await festival.submissions("delegate") };
}

const sizesOf = (kind, row) => FILE_FIELDS[kind].map((field) => row[`${field}_size`]).filter((size) => size !== null && size !== undefined);

/** Lists differences between rows and the store, as sentences. Waits a while for the sweep. */
export async function storeProblems(festival, all, patience = 5000) {
  const wanted = Object.entries(all).flatMap(([kind, list]) => list.flatMap((row) => sizesOf(kind, row))).sort((a, b) => a - b);
  const until = performance.now() + patience;
  for (;;) {
    const { kept, staged } = await festival.files();
    const there = kept.map((file) => file.size).sort((a, b) => a - b);
    const wrong = [];
    if (staged.length) wrong.push(`${staged.length} files are still staged`);
    if (there.length > wanted.length) wrong.push(`${there.length - wanted.length} files have no row`);
    if (there.length < wanted.length) wrong.push(`${wanted.length - there.length} files of rows are missing`);
    if (there.length === wanted.length && there.some((size, at) => size !== wanted[at])) wrong.push("files differ in size from their rows");
    if (wrong.length === 0 || performance.now() > until) return wrong;
    await pause(100);
  }
}

/** Lists gaps and duplicates in the references, by their prefix. */
export function referenceProblems(all) {
  const byLetters = new Map();
  for (const { reference } of Object.values(all).flat()) {
    const [, letters, number] = /^(.*)-(\d+)$/.exec(reference);
    byLetters.set(letters, [...(byLetters.get(letters) ?? []), Number(number)]);
  }
  return [...byLetters].flatMap(([letters, numbers]) => {
    numbers.sort((a, b) => a - b);
    return numbers.every((number, at) => number === at + 1) ? [] : [`${letters}: gaps or duplicates among ${numbers.length} numbers`];
  });
}

/** Compares every stored file with `expected`: a Map of title to {field: fingerprint}. */
export async function fileProblems(festival, all, expected) {
  const wrong = [];
  let compared = 0;
  for (const kind of Object.keys(all)) {
    const zip = join(festival.data, `${kind}-check.zip`);
    let list = [];
    try {
      list = await festival.submissions(kind, "--files", zip);
    } catch (error) {
      // The export lists missing files.
      wrong.push(error.message);
    }
    const wanted = new Map();
    for (const row of list) {
      for (const field of FILE_FIELDS[kind]) if (row[field]) wanted.set(row[field], expected.get(titleOf(kind, row))?.[field]);
    }
    if (existsSync(zip)) {
      eachFile(zip, (name, bytes) => {
        const known = wanted.get(name);
        if (known === undefined) wrong.push(`${name} belongs to no sent submission`);
        else if (fingerprint(bytes) !== known) wrong.push(`${name} differs from what was sent`);
        else compared++;
        wanted.delete(name);
      });
      rmSync(zip);
    }
    for (const name of wanted.keys()) wrong.push(`${name} is missing`);
  }
  return { wrong, compared };
}

/** The result of SQLite's integrity check; none without the program sqlite3, or on Postgres. */
export function integrity(festival) {
  const file = join(festival.data, "festival.db");
  if (!existsSync(file)) return "Postgres";
  try {
    return execFileSync("sqlite3", ["-readonly", file, "PRAGMA integrity_check; PRAGMA foreign_key_check;"], { encoding: "utf8" }).trim();
  } catch (error) {
    return error.code === "ENOENT" ? "sqlite3 is not installed" : String(error);
  }
}
