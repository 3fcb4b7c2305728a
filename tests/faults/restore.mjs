// Backups, restores and migrations, under load and killed: node tests/faults/restore.mjs [--rounds 20] [--megabytes 1000].
// What counts as a backup must be whole, what counts as restored or migrated must be all of it. The time that the way back
// takes with 10,000 films and so many megabytes of media is printed.
import { randomBytes, randomInt } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, createOwner } from "./support/browser.mjs";
import { sha256 } from "./support/files.mjs";
import { integrity } from "./support/kept.mjs";
import { Ledger, draw } from "./support/ledger.mjs";
import { EDITION, Festival, pause, program } from "./support/program.mjs";
import { check, count, main, tally } from "./support/report.mjs";

const rounds = count("rounds", 20);
const megabytes = count("megabytes", 1000);
const FORMS = 40;
const PART = 5_000_000;
const FILMS = 10_000;
/** Seconds that a start may take with so many films as here. */
const LONGEST_START = 2;
/** Seconds that a backup of a gigabyte, its check and its way back may take each. */
const LONGEST = 120;

const scratch = mkdtempSync(join(tmpdir(), "festival-restore-"));
const backups = join(scratch, "backups");
const ledger = new Ledger();

const names = (prefix) => readdirSync(backups).filter((name) => name.startsWith(prefix));
const manifestOf = (backup) => JSON.parse(readFileSync(join(backup, "manifest.json"), "utf8"));
const rowsOf = ({ rows }) => rows.film_submissions + rows.delegates;

/** What is wrong with the files of a backup or of a data folder, judged by the manifest alone. */
function differences(manifest, folder, isOurs = () => true) {
  return manifest.files.filter(({ path }) => isOurs(path)).flatMap(({ path, sha256: hash }) => {
    const file = join(folder, path);
    if (!existsSync(file)) return [`${path} is missing`];
    return sha256(readFileSync(file)) === hash ? [] : [`${path} differs`];
  });
}

/** A place that nothing is in yet. */
/** Where a site can be restored to. The key of its secrets is in no backup: operators carry it there. */
function emptyPlace() {
  const data = mkdtempSync(join(scratch, "place-"));
  const key = join(scratch, "site/secrets.key");
  if (existsSync(key)) copyFileSync(key, join(data, "secrets.key"));
  return Festival.make({ data, isEmpty: true });
}

async function underLoad(festival) {
  console.log("\na backup while forms arrive");
  const sending = { on: true };
  const senders = Array.from({ length: 4 }, async () => {
    while (sending.on) await ledger.send(festival.url, draw());
  });
  while (ledger.acknowledged.size < FORMS) await pause(50);
  const before = new Map(ledger.acknowledged);
  const path = (await festival.run("backup", backups)).trim().split("\n").at(-1);
  const after = ledger.statuses.length;
  sending.on = false;
  await Promise.all(senders);
  const manifest = manifestOf(path);
  const [rows, wrong] = [rowsOf(manifest), differences(manifest, path)];
  check("it has at least what was acknowledged when it began", rows >= before.size && rows <= after, `${before.size} acknowledged before, ${rows} rows, ${after} sent at its end`);
  check("every hash is right", wrong.length === 0, wrong.join("; ") || `${manifest.files.length} files`);
  check("backup --check says the same", (await festival.attempt("backup", "--check", path)).code === 0);
  check("forms were taken meanwhile", ledger.statuses.every((status) => status === 201), tally(ledger.statuses));
  return { path, before };
}

async function comesBack({ path, before }) {
  console.log("\nwhat comes back");
  const place = await emptyPlace();
  const restored = await place.attempt("restore", path);
  check("the restore says what came", restored.code === 0, restored.out.trim().replaceAll("\n", " "));
  await place.start();
  const browser = new Browser(place.url);
  check("a server starts and an account signs in", (await browser.signIn()) === 303 && (await browser.isSignedIn()));
  // Rows that were being written when the backup was made may be there or not, and files of later ones were copied too.
  const { wrong: found, kept, compared } = await ledger.verify(place, { known: before });
  const wrong = found.filter((sentence) => !sentence.endsWith("files have no row"));
  check("every form of then is there with its files", wrong.length === 0, [...wrong, `${kept} forms, ${compared} files compared`].join("; "));
  const [title] = before.keys();
  const kind = before.get(title).kind === "film" ? "film-submissions" : "delegates";
  const list = await browser.ask(`/admin/${kind}?q=${before.get(title).reference}`);
  const page = await browser.ask(new RegExp(`/admin/${kind}/\\d+`).exec(list.text)?.[0] ?? "/admin/nothing");
  const file = /(?:href|src)="([^"]*\/files\/[^"]*)"/.exec(page.text)?.[1].replaceAll("&amp;", "&");
  check("the back office opens one of them and its file", page.status === 200 && (await browser.ask(file ?? "/admin/nothing")).status === 200, file ?? `${list.status} ${page.status}`);
  const again = await ledger.send(place.url, draw());
  check("and it takes forms", again.status === 201);
  await place.kill("SIGTERM");
  const files = await place.files();
  const over = await place.attempt("restore", path);
  check("a restore over it is refused", over.code === 1 && over.words.includes("empty place only"), over.words.trim());
  check("and has changed nothing", (await place.files()).kept.length === files.kept.length && (await place.attempt("check")).code === 0);
  await place.end();
}

/** Kills `command` after `ms`, unless it has ended by then; answers how it ended. */
async function killed({ child, ended }, ms) {
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  const end = await ended;
  clearTimeout(timer);
  return end;
}

async function killedBackups(festival) {
  console.log("\nbackups that are killed");
  const begin = performance.now();
  await festival.run("backup", backups);
  const whole = performance.now() - begin;
  const [seen, ends, wrong] = [new Set(names("festival-")), [], []];
  let most = 0;
  for (let round = 0; round < rounds; round++) {
    const { code, words } = await killed(festival.begin("backup", backups), randomInt(Math.ceil(whole)));
    ends.push(code === null ? "killed" : code === 0 ? "done" : words);
    most = Math.max(most, names(".backup-").length);
    for (const name of names("festival-").filter((each) => !seen.has(each))) {
      seen.add(name);
      const checked = await festival.attempt("backup", "--check", join(backups, name));
      if (checked.code !== 0) wrong.push(`${name}: ${checked.out}${checked.words}`);
    }
  }
  check("only what is whole counts as a backup", wrong.length === 0 && ends.every((end) => /^(killed|done)$/.test(end)), [...wrong, tally(ends)].join("; "));
  check("each clears away what the one before left", most <= 1, `${most} unfinished at most`);
  await festival.run("backup", backups, "--keep", "2");
  check("and the last one leaves nothing half done", names(".backup-").length === 0 && names("festival-").length === 2, readdirSync(backups).join(" "));
}

async function killedRestores(path) {
  console.log("\nrestores that are killed");
  const manifest = manifestOf(path);
  const measured = await emptyPlace();
  const begin = performance.now();
  await measured.run("restore", path);
  const whole = performance.now() - begin;
  await measured.end();
  const [ends, wrong] = [[], []];
  let tries = 0;
  for (let round = 0; round < rounds; round++) {
    const place = await emptyPlace();
    for (let end = null; end !== 0; ) {
      tries++;
      // The third time it is let go on to its end.
      const { code, words } = await killed(place.begin("restore", path), tries % 3 ? randomInt(Math.ceil(whole)) : 600_000);
      end = code;
      ends.push(code === null ? "killed" : code === 0 ? "done" : words.trim());
      if (code === 0) break;
      if (code !== null) wrong.push(words.trim());
      if (wrong.length) break;
      // Killed before its first file, it has not begun; else no server may take it for a site.
      const begun = (await place.files("private", "public")).kept.length > 0 || existsSync(join(place.data, "festival.db"));
      const served = begun ? await killed(place.begin("serve"), 20_000) : null;
      if (served && !(served.code === 1 && served.words.includes("was not finished"))) wrong.push(`half of it is served: ${served.code} ${served.words.trim()}`);
    }
    wrong.push(...differences(manifest, place.data, (name) => name.startsWith("media/")));
    if ((await place.attempt("check")).code !== 0) wrong.push("festival check finds something");
    const all = (await place.submissions("film")).length + (await place.submissions("delegate")).length;
    if (all !== rowsOf(manifest)) wrong.push(`${all} rows, ${rowsOf(manifest)} in the backup`);
    rmSync(place.data, { recursive: true });
    if (wrong.length) break;
  }
  check("each goes on to a whole site, and no server starts on a half one", wrong.length === 0, [...wrong, tally(ends)].join("; "));
}

async function killedMigrations() {
  console.log("\nmigrations that are killed");
  const measured = await emptyPlace();
  const begin = performance.now();
  await measured.run("migrate");
  const whole = performance.now() - begin;
  const [ends, wrong] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const place = await emptyPlace();
    const { code } = await killed(place.begin("migrate"), randomInt(Math.ceil(whole)));
    ends.push(code === null ? "killed" : "done");
    const again = await place.attempt("migrate");
    const pending = await place.attempt("migrate", "--dry-run");
    const seeded = await place.attempt("seed", EDITION);
    if (again.code || pending.code || seeded.code) wrong.push(again.words, pending.out, seeded.words);
    const database = integrity(place);
    if (database !== "ok" && !database.includes("not installed")) wrong.push(database);
    rmSync(place.data, { recursive: true });
  }
  check("run again, each goes on, and the site can be filled", wrong.length === 0, [...wrong, tally(ends)].join("; "));
}

async function large(festival) {
  console.log(`\nthe way back with ${FILMS} films and ${megabytes} MB of media`);
  const films = join(scratch, "films.csv");
  writeFileSync(films, ["Title,Director,Country,Year,Duration", ...Array.from({ length: FILMS }, (_, at) => `Film ${at},Director ${at},India,2024,90`)].join("\n"));
  await festival.run("films", "import", films, "--category", "Films");
  const folder = join(festival.data, "media/public/large");
  mkdirSync(folder, { recursive: true });
  for (let made = 0; made * PART < megabytes * 1_000_000; made++) writeFileSync(join(folder, `${made}.bin`), randomBytes(PART));
  const timed = async (name, work) => {
    const begin = performance.now();
    const result = await work();
    const seconds = (performance.now() - begin) / 1000;
    check(`${name} within ${LONGEST} s`, seconds < LONGEST, `${seconds.toFixed(1)} s`);
    return result;
  };
  const path = (await timed("backup", () => festival.run("backup", backups))).trim().split("\n").at(-1);
  await timed("backup --check", () => festival.run("backup", "--check", path));
  const place = await emptyPlace();
  await timed("restore", () => place.run("restore", path));
  const start = await timed("start", () => place.start());
  check(`it starts within ${LONGEST_START} s`, start < LONGEST_START, `${start.toFixed(1)} s`);
  const { kept } = await place.files("public");
  check("all of it is there", kept.reduce((sum, { size }) => sum + size, 0) >= megabytes * 1_000_000, `${kept.length} files, ${statSync(join(place.data, "festival.db")).size} bytes of database`);
  await place.end();
}

process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
await main(async () => {
  console.log(program);
  const festival = await Festival.make({ data: join(scratch, "site") });
  await createOwner(festival);
  await festival.start();
  const backup = await underLoad(festival);
  await comesBack(backup);
  // The backup under test must outlive `--keep`.
  await killedRestores(backup.path);
  await killedBackups(festival);
  await killedMigrations();
  await large(festival);
  await festival.end();
});
