// Kills the running program at random moments while decisions about films are released, restarts it, and checks that either
// all of them are released, with one letter each, or none: node tests/faults/letters.mjs [--rounds 50] [--decisions 40]
// More than 40 decisions need sqlite3. Everything stays on 127.0.0.1, and no mail leaves the machine.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Browser, createOwner, fieldsOf } from "./support/browser.mjs";
import { Festival, pause } from "./support/program.mjs";
import { check, count, main } from "./support/report.mjs";

const rounds = count("rounds", 50);
/** Entries of the demonstration. */
const DEMONSTRATED = 40;
const decisions = Math.max(DEMONSTRATED, count("decisions", DEMONSTRATED));
const RELEASE = "/admin/selection-release";
const LIST = "/admin/selection";
/** The outcomes in turn, so that each release contradicts the one before. */
const OUTCOMES = ["selected", "not_selected", "waiting"];

/** Posts a form with the token of the session. */
async function post(browser, path, form) {
  const page = await browser.request("/admin/account");
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  return browser.request(path, { csrf, ...form });
}

/** Adds copies of an entry, so that there are as many as decisions. */
function addEntries(festival) {
  const run = (sql) => execFileSync("sqlite3", [join(festival.data, "festival.db"), sql], { encoding: "utf8" }).trim();
  const columns = run("SELECT group_concat(name) FROM pragma_table_xinfo('film_submissions') WHERE hidden = 0 AND name NOT IN ('id', 'reference')");
  run(`WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${decisions - DEMONSTRATED})
    INSERT INTO film_submissions (reference, ${columns}) SELECT 'COPY-' || number, ${columns} FROM numbers
    JOIN film_submissions ON reference = 'DEMO-ML-01'`);
}

/** Prepares an outcome for every entry. */
async function prepare(browser, outcome) {
  const asked = await post(browser, `${LIST}/selected`, { all: "yes", action: outcome });
  const form = Object.fromEntries(fieldsOf(asked.text, `${LIST}/selected`));
  const done = await browser.request(`${LIST}/selected`, form);
  if (done.status !== 303) throw new Error(`${done.status} to the preparation: ${done.text.slice(0, 300)}`);
}

/** What the list and the page of the release say: decisions that are released, others, and letters. */
async function state(browser) {
  const list = (await post(browser, `${LIST}/file`, { format: "csv" })).text.trim().split(/\r?\n/).slice(1);
  const page = (await browser.request(RELEASE)).text;
  const waiting = list.filter((line) => line.includes("not released")).length;
  return { waiting, released: list.length - waiting, letters: Number(/(\d+) letters? waits?/.exec(page.replaceAll(/<[^>]*>/g, ""))?.[1] ?? 0) };
}

await main(async () => {
  const festival = await Festival.make({ isEmpty: true });
  try {
    await festival.run("seed", "--demo");
    await createOwner(festival);
    if (decisions > DEMONSTRATED) addEntries(festival);
    await festival.start();
    const browser = new Browser(festival.url);
    if ((await browser.signIn()) !== 303) throw new Error("the owner cannot sign in");
    let [complete, none, longest] = [0, 0, decisions * 10];
    const wrong = [];
    for (let round = 0; round < rounds; round++) {
      await prepare(browser, OUTCOMES[round % OUTCOMES.length]);
      const fields = Object.fromEntries(fieldsOf((await browser.request(RELEASE)).text, RELEASE));
      const begin = performance.now();
      const answer = browser.request(RELEASE, { ...fields, then: "release" });
      await pause((longest * (round % 10)) / 9);
      await festival.kill();
      const { status } = await answer;
      if (status === 303) longest = Math.min(longest, Math.max(20, performance.now() - begin));
      await festival.start();
      browser.base = festival.url;
      const { waiting, released, letters } = await state(browser);
      if (waiting + released !== decisions || (waiting > 0 && released > 0)) wrong.push(`round ${round}: ${released} released, ${waiting} not`);
      if (letters !== released) wrong.push(`round ${round}: ${letters} letters for ${released} released decisions`);
      if (status === 303 && released === 0) wrong.push(`round ${round}: an acknowledged release is lost`);
      if (released > 0) complete++;
      else none++;
      const again = await post(browser, RELEASE, { ...fields, then: "release" });
      const after = await state(browser);
      if (after.letters !== decisions || after.released !== decisions) wrong.push(`round ${round}: ${after.letters} letters after the second press (${again.status})`);
      await post(browser, RELEASE, { then: "recall" });
      if ((await state(browser)).letters !== 0) wrong.push(`round ${round}: letters are left after the recall`);
    }
    check(`${rounds} releases of ${decisions} decisions were killed: all or none, and each letter once`, wrong.length === 0, wrong.slice(0, 5).join("; "));
    console.log(`      ${complete} were complete, ${none} had not happened`);
  } finally {
    await festival.kill();
    rmSync(festival.data, { recursive: true, force: true });
  }
});
