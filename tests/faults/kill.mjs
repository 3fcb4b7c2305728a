// Kills the running program at random moments while forms arrive, starts it again, and looks whether anything that
// was acknowledged is lost: node tests/faults/kill.mjs --rounds 100 [--connections 6] [--database postgres://...]
// The database of --database must be empty. Everything stays on 127.0.0.1.
import { randomInt, randomUUID } from "node:crypto";
import { fingerprint, pdf, picture, sideFor } from "./support/files.mjs";
import { FILE_FIELDS, TAKES_PDF, send, texts, titleOf } from "./support/forms.mjs";
import { integrity, rows, strays, wrongFiles, wrongReferences } from "./support/kept.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, count, doubles, main, option, tally } from "./support/report.mjs";

const rounds = count("rounds", 20);
const connections = count("connections", 6);
/** The longest time that the server is left alive, in ms. */
const longest = count("longest", 1500);
/** After so many rounds every kept file is read and compared. */
const READ_ALL_EVERY = 20;
const LONGEST_START = 5;

/** Small files mostly, now and then one near the limit. */
function size() {
  const dice = randomInt(100);
  if (dice < 70) return randomInt(600, 20_000);
  return dice < 97 ? randomInt(20_000, 400_000) : randomInt(1_000_000, 5_000_000);
}

function file(field) {
  const document = TAKES_PDF.has(field) && randomInt(3) > 0;
  const bytes = document ? pdf(size()) : picture(sideFor(size()));
  return { name: document ? "paper.pdf" : "picture.png", bytes };
}

/** A form that nobody has sent yet. */
function draw() {
  const kind = randomInt(2) ? "film" : "delegate";
  const title = randomUUID();
  const fields = FILE_FIELDS[kind].filter((field) => field !== "image" || randomInt(2));
  const files = Object.fromEntries(fields.map((field) => [field, file(field)]));
  const values = { ...texts(kind, title), award_category: ["asian", "indian", "malayalam"][randomInt(3)] };
  if (kind === "delegate") delete values.award_category;
  return { kind, title, values, files, key: randomInt(4) ? randomUUID() : undefined, acknowledged: null };
}

/** Everything that was sent: what its files must come out as, and what was acknowledged. */
const expected = new Map();
const acknowledged = new Map();
const statuses = [];
let retried = 0;

/** Sends forms one after the other until the server is gone; the one that was under way comes back to be sent again. */
async function sender(festival, until, left) {
  let form = left;
  while (performance.now() < until) {
    if (form) retried++;
    form ??= draw();
    if (!expected.has(form.title)) {
      expected.set(form.title, Object.fromEntries(Object.entries(form.files).map(([field, { bytes }]) => [field, fingerprint(bytes)])));
    }
    const answer = await send(festival.url, form.kind, { ...form, timeout: 20_000 });
    statuses.push(answer.status);
    if (answer.status === 0) return form;
    if (answer.status === 201) acknowledged.set(form.title, { kind: form.kind, reference: answer.body.reference });
    else console.log(`      ${answer.status}: ${JSON.stringify(answer.body).slice(0, 200)}`);
    form = null;
  }
  return form;
}

/** Compares what is kept with what was acknowledged; answers what is wrong. */
async function verify(festival, readAll) {
  const all = await rows(festival);
  const wrong = [...(await strays(festival, all)), ...wrongReferences(all)];
  const references = new Map();
  for (const [kind, list] of Object.entries(all)) {
    const titles = list.map((row) => titleOf(kind, row));
    for (const title of doubles(titles)) wrong.push(`${kind} ${title} is there twice`);
    for (const row of list) {
      const title = titleOf(kind, row);
      references.set(title, row.reference);
      const fields = Object.keys(expected.get(title) ?? {}).sort().join();
      if (fields !== FILE_FIELDS[kind].filter((field) => row[field]).sort().join()) wrong.push(`${row.reference} has other files than were sent`);
    }
  }
  for (const [title, { kind, reference }] of acknowledged) {
    if (references.get(title) !== reference) wrong.push(`LOST: ${kind} ${reference} was acknowledged, and is ${references.get(title) ?? "not there"}`);
  }
  const database = integrity(festival);
  if (!["ok", "Postgres", "sqlite3 is not installed"].includes(database)) wrong.push(`the database: ${database}`);
  const read = readAll ? await wrongFiles(festival, all, expected) : { wrong: [], compared: 0 };
  return { wrong: [...wrong, ...read.wrong], kept: references.size, compared: read.compared, database };
}

await main(async () => {
  const festival = await Festival.make({ database: option("database") });
  console.log(`${program}\n${rounds} rounds, ${connections} connections\n`);
  console.log("round  start s  lived ms  acknowledged  under way  kept  swept  files read  wrong");
  let [slowest, wrongs, compared, swept, last] = [0, 0, 0, 0, null];
  let left = Array(connections).fill(null);
  for (let round = 1; round <= rounds; round++) {
    const started = await festival.start();
    slowest = Math.max(slowest, started);
    const before = acknowledged.size;
    const lived = randomInt(30, longest);
    const until = performance.now() + lived;
    const sending = Promise.all(left.map((form) => sender(festival, until + 1000, form)));
    await pause(lived);
    await festival.kill();
    left = await sending;
    const debris = (await festival.files()).kept.length + (await festival.files()).staged.length;
    const again = await festival.start();
    slowest = Math.max(slowest, again);
    last = await verify(festival, round % READ_ALL_EVERY === 0 || round === rounds);
    const { kept, staged } = await festival.files();
    const gone = debris - kept.length - staged.length;
    [swept, compared, wrongs] = [swept + gone, compared + last.compared, wrongs + last.wrong.length];
    // The next round begins as a start after a crash too.
    await festival.kill();
    const cells = [again.toFixed(2), lived, acknowledged.size - before, left.filter(Boolean).length, last.kept, gone, last.compared, last.wrong.length];
    console.log(`${String(round).padStart(5)}${cells.map((cell, at) => String(cell).padStart([9, 10, 14, 11, 6, 7, 12, 7][at])).join("")}`);
    for (const sentence of last.wrong.slice(0, 10)) console.log(`      ${sentence}`);
  }
  console.log(`\nanswers: ${tally(statuses)} (0: killed while it was sent); sent again: ${retried}; files swept: ${swept}; files compared: ${compared}`);
  check("every acknowledged submission is kept once, with its files and nothing else's", wrongs === 0, `${acknowledged.size} acknowledged, ${last.kept} kept`);
  check(`starts within ${LONGEST_START} s`, slowest < LONGEST_START, `slowest ${slowest.toFixed(2)} s`);
  check("something was acknowledged, and something was cut off", acknowledged.size > 0 && statuses.includes(0));
  check("the database is whole", ["ok", "Postgres", "sqlite3 is not installed"].includes(last.database), last.database);
  await festival.end();
});
