// The book of what was sent and what was acknowledged, and the comparison of a site with it.
import { randomInt, randomUUID } from "node:crypto";
import { fingerprint, pdf, picture, sideFor } from "./files.mjs";
import { FILE_FIELDS, TAKES_PDF, send, texts, titleOf } from "./forms.mjs";
import { integrity, rows, strays, wrongFiles, wrongReferences } from "./kept.mjs";
import { doubles } from "./report.mjs";

/** What `integrity` may say of a database that is whole, or that it cannot look at. */
const WHOLE = ["ok", "Postgres", "sqlite3 is not installed"];

/** Small files mostly, now and then one near the limit. */
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

/** A form that nobody has sent yet, with files of `size()` bytes. */
export function draw(size = mixed, kind = randomInt(2) ? "film" : "delegate") {
  const title = randomUUID();
  const fields = FILE_FIELDS[kind].filter((field) => field !== "image" || randomInt(2));
  const files = Object.fromEntries(fields.map((field) => [field, file(field, size)]));
  const values = { ...texts(kind, title), award_category: ["asian", "indian", "malayalam"][randomInt(3)] };
  if (kind === "delegate") delete values.award_category;
  return { kind, title, values, files, key: randomInt(4) ? randomUUID() : undefined };
}

export class Ledger {
  /** What the files of each form must come out as, by its title. */
  expected = new Map();
  /** `{kind, reference}` of each form that was acknowledged, by its title. */
  acknowledged = new Map();
  statuses = [];

  /** Sends a form and writes down what came of it. */
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
   * Compares what a site has with what was acknowledged: `{wrong, kept, compared, database}`, sentences in `wrong`.
   * `readAll` looks into every file; `known` is the book of an earlier moment, whose forms must be there.
   */
  async verify(festival, { readAll = true, known = this.acknowledged } = {}) {
    const all = await rows(festival);
    const wrong = [...(await strays(festival, all)), ...wrongReferences(all)];
    const references = new Map();
    for (const [kind, list] of Object.entries(all)) {
      const titles = list.map((row) => titleOf(kind, row));
      for (const title of doubles(titles)) wrong.push(`${kind} ${title} is there twice`);
      for (const row of list) {
        const title = titleOf(kind, row);
        references.set(title, row.reference);
        const fields = Object.keys(this.expected.get(title) ?? {}).sort().join();
        if (fields !== FILE_FIELDS[kind].filter((field) => row[field]).sort().join()) wrong.push(`${row.reference} has other files than were sent`);
      }
    }
    for (const [title, { kind, reference }] of known) {
      if (references.get(title) !== reference) wrong.push(`LOST: ${kind} ${reference} was acknowledged, and is ${references.get(title) ?? "not there"}`);
    }
    const database = integrity(festival);
    if (!WHOLE.includes(database)) wrong.push(`the database: ${database}`);
    const read = readAll ? await wrongFiles(festival, all, this.expected) : { wrong: [], compared: 0 };
    return { wrong: [...wrong, ...read.wrong], kept: references.size, compared: read.compared, database };
  }
}
