// Backups, restores and migrations under load and killed:
// node tests/faults/restore.mjs [--rounds 20] [--megabytes 1000].
// Every backup, restored site and migrated site must be complete. Prints how long a restore of 10,000 films and that
// many megabytes of media takes.
import { randomBytes, randomInt } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, createOwner } from "./support/browser.mjs";
import { sha256 } from "./support/files.mjs";
import { integrity } from "./support/integrity.mjs";
import { Ledger, draw } from "./support/ledger.mjs";
import { EDITION, Festival, pause, program } from "./support/program.mjs";
import { check, count, main, tally } from "./support/report.mjs";

const rounds = count("rounds", 20);
const megabytes = count("megabytes", 1000);
const FORMS = 40;
const PART = 5_000_000;
const FILMS = 10_000;
/** The time limit for a start with these films, in seconds. */
const LONGEST_START = 2;
/** The time limit each for backup, check and restore of a gigabyte, in seconds. */
const LONGEST = 120;

const scratch = mkdtempSync(join(tmpdir(), "festival-restore-"));
const backups = join(scratch, "backups");
const ledger = new Ledger();

const names = (prefix) => readdirSync(backups).filter((name) => name.startsWith(prefix));
const manifestOf = (backup) => JSON.parse(readFileSync(join(backup, "manifest.json"), "utf8"));
const rowsOf = ({ rows }) => rows.film_submissions + rows.delegates;

/** Lists mistakes in the files of a backup or data folder, by the manifest. */
function differences(manifest, folder, isOurs = () => true) {
  return manifest.files.filter(({ path }) => isOurs(path)).flatMap(({ path, sha256: hash }) => {
    const file = join(folder, path);
    if (!existsSync(file)) return [`${path} is missing`];
    return sha256(readFileSync(file)) === hash ? [] : [`${path} differs`];
  });
}

/** An unused path. */
/** A folder to restore to. Backups do not contain the key of the secrets: operators copy it. */
function emptyFolder() {
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
  check("it contains everything acknowledged before its start", rows >= before.size && rows <= after, `${before.size} acknowledged before, ${rows} rows, ${after} sent by its end`);
  check("every hash is correct", wrong.length === 0, wrong.join("; ") || `${manifest.files.length} files`);
  check("backup --check agrees", (await festival.attempt("backup", "--check", path)).code === 0);
  check("forms were accepted meanwhile", ledger.statuses.every((status) => status === 201), tally(ledger.statuses));
  return { path, before };
}

async function checkRestore({ path, before }) {
  console.log("\na restore");
  const place = await emptyFolder();
  const restored = await place.attempt("restore", path);
  check("the restore reports its contents", restored.code === 0, restored.out.trim().replaceAll("\n", " "));
  await place.start();
  const browser = new Browser(place.url);
  check("a server starts and sign-in works", (await browser.signIn()) === 303 && (await browser.isSignedIn()));
  // Rows written during the backup may be in it or not, and files of later rows were copied too.
  const { wrong: found, kept, compared } = await ledger.verify(place, { known: before });
  const wrong = found.filter((sentence) => !sentence.endsWith("files have no row"));
  check("every form of the backup is there with its files", wrong.length === 0, [...wrong, `${kept} forms, ${compared} files compared`].join("; "));
  const [title] = before.keys();
  const kind = before.get(title).kind === "film" ? "film-submissions" : "delegates";
  const list = await browser.request(`/admin/${kind}?q=${before.get(title).reference}`);
  const page = await browser.request(new RegExp(`/admin/${kind}/\\d+`).exec(list.text)?.[0] ?? "/admin/nothing");
  const file = /(?:href|src)="([^"]*\/files\/[^"]*)"/.exec(page.text)?.[1].replaceAll("&amp;", "&");
  check("the back office shows a form and its file", page.status === 200 && (await browser.request(file ?? "/admin/nothing")).status === 200, file ?? `${list.status} ${page.status}`);
  const again = await ledger.send(place.url, draw());
  check("it accepts forms", again.status === 201);
  await place.kill("SIGTERM");
  const files = await place.files();
  const over = await place.attempt("restore", path);
  check("a restore over it is rejected", over.code === 1 && over.errors.includes("into an empty place"), over.errors.trim());
  check("and changes nothing", (await place.files()).kept.length === files.kept.length && (await place.attempt("check")).code === 0);
  await place.end();
}

/** Kills `command` after `ms`, unless it has ended by then; returns how it ended. */
async function killed({ child, ended }, ms) {
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  const end = await ended;
  clearTimeout(timer);
  return end;
}

async function killedBackups(festival) {
  console.log("\nkilled backups");
  const begin = performance.now();
  await festival.run("backup", backups);
  const duration = performance.now() - begin;
  const [seen, ends, wrong] = [new Set(names("festival-")), [], []];
  let most = 0;
  for (let round = 0; round < rounds; round++) {
    const { code, errors } = await killed(festival.startCommand("backup", backups), randomInt(Math.ceil(duration)));
    ends.push(code === null ? "killed" : code === 0 ? "done" : errors);
    most = Math.max(most, names(".backup-").length);
    for (const name of names("festival-").filter((each) => !seen.has(each))) {
      seen.add(name);
      const checked = await festival.attempt("backup", "--check", join(backups, name));
      if (checked.code !== 0) wrong.push(`${name}: ${checked.out}${checked.errors}`);
    }
  }
  check("only complete backups count", wrong.length === 0 && ends.every((end) => /^(killed|done)$/.test(end)), [...wrong, tally(ends)].join("; "));
  check("each backup removes the remains of the one before", most <= 1, `${most} unfinished at most`);
  await festival.run("backup", backups, "--keep", "2");
  check("the last one leaves nothing incomplete", names(".backup-").length === 0 && names("festival-").length === 2, readdirSync(backups).join(" "));
}

async function killedRestores(path) {
  console.log("\nkilled restores");
  const manifest = manifestOf(path);
  const measured = await emptyFolder();
  const begin = performance.now();
  await measured.run("restore", path);
  const duration = performance.now() - begin;
  await measured.end();
  const [ends, wrong] = [[], []];
  let tries = 0;
  for (let round = 0; round < rounds; round++) {
    const place = await emptyFolder();
    for (let end = null; end !== 0; ) {
      tries++;
      // The third time it may finish.
      const { code, errors } = await killed(place.startCommand("restore", path), tries % 3 ? randomInt(Math.ceil(duration)) : 600_000);
      end = code;
      ends.push(code === null ? "killed" : code === 0 ? "done" : errors.trim());
      if (code === 0) break;
      if (code !== null) wrong.push(errors.trim());
      if (wrong.length) break;
      // Unless it was killed before its first file, no server may start on it.
      const begun = (await place.files("private", "public")).kept.length > 0 || existsSync(join(place.data, "festival.db"));
      const served = begun ? await killed(place.startCommand("serve"), 20_000) : null;
      // A restore that is killed when all is done is complete, as what follows has to find.
      if (served?.code === null) break;
      if (served && !(served.code === 1 && served.errors.includes("was not finished"))) wrong.push(`an incomplete site is served: ${served.code} ${served.errors.trim()}`);
    }
    wrong.push(...differences(manifest, place.data, (name) => name.startsWith("media/")));
    if ((await place.attempt("check")).code !== 0) wrong.push("festival check finds something");
    const all = (await place.submissions("film")).length + (await place.submissions("delegate")).length;
    if (all !== rowsOf(manifest)) wrong.push(`${all} rows, ${rowsOf(manifest)} in the backup`);
    rmSync(place.data, { recursive: true });
    if (wrong.length) break;
  }
  check("each is completed when repeated, and no server starts on an incomplete site", wrong.length === 0, [...wrong, tally(ends)].join("; "));
}

async function killedMigrations() {
  console.log("\nkilled migrations");
  const measured = await emptyFolder();
  const begin = performance.now();
  await measured.run("migrate");
  const duration = performance.now() - begin;
  const [ends, wrong] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const place = await emptyFolder();
    const { code } = await killed(place.startCommand("migrate"), randomInt(Math.ceil(duration)));
    ends.push(code === null ? "killed" : "done");
    const again = await place.attempt("migrate");
    const pending = await place.attempt("migrate", "--dry-run");
    const seeded = await place.attempt("seed", EDITION);
    if (again.code || pending.code || seeded.code) wrong.push(again.errors, pending.out, seeded.errors);
    const database = integrity(place);
    if (database !== "ok" && !database.includes("not installed")) wrong.push(database);
    rmSync(place.data, { recursive: true });
  }
  check("each is completed when repeated, and the site can be seeded", wrong.length === 0, [...wrong, tally(ends)].join("; "));
}

async function large(festival) {
  console.log(`\na restore with ${FILMS} films and ${megabytes} MB of media`);
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
  const place = await emptyFolder();
  await timed("restore", () => place.run("restore", path));
  const start = await timed("start", () => place.start());
  check(`it starts within ${LONGEST_START} s`, start < LONGEST_START, `${start.toFixed(1)} s`);
  const { kept } = await place.files("public");
  check("everything is there", kept.reduce((sum, { size }) => sum + size, 0) >= megabytes * 1_000_000, `${kept.length} files, ${statSync(join(place.data, "festival.db")).size} bytes of database`);
  await place.end();
}

process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
await main(async () => {
  console.log(program);
  const festival = await Festival.make({ data: join(scratch, "site") });
  await createOwner(festival);
  await festival.start();
  const backup = await underLoad(festival);
  await checkRestore(backup);
  // `--keep` must not delete the backup under test.
  await killedRestores(backup.path);
  await killedBackups(festival);
  await killedMigrations();
  await large(festival);
  await festival.end();
});
