// A record of sent and acknowledged forms, and the comparison of a site with it.
import { randomInt, randomUUID } from "node:crypto";
import { fingerprint, pdf, picture, sideFor } from "./files.mjs";
import { FILE_FIELDS, TAKES_PDF, send, texts, titleOf } from "./forms.mjs";
import { integrity, rows, storeProblems, fileProblems, referenceProblems } from "./integrity.mjs";
import { repeated } from "./report.mjs";

/** Results of `integrity` for a database that is intact or cannot be checked. */
const INTACT = ["ok", "Postgres", "sqlite3 is not installed"];

/** Mostly small files, sometimes one near the limit. */
export function mixed() {
  const dice = randomInt(100);
  if (dice < 70) return randomInt(600, 20_000);
  return dice < 97 ? randomInt(20_000, 400_000) : randomInt(1_000_000, 5_000_000);
}

/** Small files only. */
export const small = () => randomInt(600, 20_000);

function file(field, size) {
  const document = TAKES_PDF.has(field) && randomInt(3) > 0;
  const bytes = document ? pdf(size()) : picture(sideFor(size()));
  return { name: document ? "paper.pdf" : "picture.png", bytes };
}

/** A new form with files of `size()` bytes. */
export function draw(size = mixed, kind = randomInt(2) ? "film" : "delegate") {
  const title = randomUUID();
  const fields = FILE_FIELDS[kind].filter((field) => field !== "image" || randomInt(2));
  const files = Object.fromEntries(fields.map((field) => [field, file(field, size)]));
  const values = { ...texts(kind, title), award_category: ["asian", "indian", "malayalam"][randomInt(3)] };
  if (kind === "delegate") delete values.award_category;
  return { kind, title, values, files, key: randomInt(4) ? randomUUID() : undefined };
}

export class Ledger {
  /** The expected fingerprints of each form's files, by title. */
  expected = new Map();
  /** `{kind, reference}` of each acknowledged form, by title. */
  acknowledged = new Map();
  statuses = [];

  /** Sends a form and records the response. */
  async send(url, form, options = {}) {
    if (!this.expected.has(form.title)) {
      this.expected.set(form.title, Object.fromEntries(Object.entries(form.files).map(([field, { bytes }]) => [field, fingerprint(bytes)])));
    }
    const answer = await send(url, form.kind, { ...form, ...options });
    this.statuses.push(answer.status);
    if (answer.status === 201) this.acknowledged.set(form.title, { kind: form.kind, reference: answer.body.reference });
    return answer;
  }

  /**
   * Compares a site with the acknowledged forms: `{wrong, kept, compared, database}`, with sentences in `wrong`.
   * `readAll` compares every file; `known` is an earlier record, whose forms must exist.
   */
  async verify(festival, { readAll = true, known = this.acknowledged } = {}) {
    const all = await rows(festival);
    const wrong = [...(await storeProblems(festival, all)), ...referenceProblems(all)];
    const references = new Map();
    for (const [kind, list] of Object.entries(all)) {
      const titles = list.map((row) => titleOf(kind, row));
      for (const title of repeated(titles)) wrong.push(`${kind} ${title} exists twice`);
      for (const row of list) {
        const title = titleOf(kind, row);
        references.set(title, row.reference);
        const fields = Object.keys(this.expected.get(title) ?? {}).sort().join();
        if (fields !== FILE_FIELDS[kind].filter((field) => row[field]).sort().join()) wrong.push(`${row.reference} has files other than the sent ones`);
      }
    }
    for (const [title, { kind, reference }] of known) {
      if (references.get(title) !== reference) wrong.push(`LOST: ${kind} ${reference} was acknowledged, and is ${references.get(title) ?? "missing"}`);
    }
    const database = integrity(festival);
    if (!INTACT.includes(database)) wrong.push(`the database: ${database}`);
    const read = readAll ? await fileProblems(festival, all, this.expected) : { wrong: [], compared: 0 };
    return { wrong: [...wrong, ...read.wrong], kept: references.size, compared: read.compared, database };
  }
}
