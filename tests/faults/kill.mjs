// Kills the running program at random moments while forms arrive, an editor saves, and an import, a backup, a restore
// or a sweep runs; restarts it and checks that nothing acknowledged is lost:
// node tests/faults/kill.mjs [--rounds 100] [--connections 6] [--database postgres://...]
// The environment variable ROUNDS works like --rounds. The database must be empty. Everything stays on 127.0.0.1.
import { randomInt, randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, createOwner } from "./support/browser.mjs";
import { picture } from "./support/files.mjs";
import { Ledger, draw } from "./support/ledger.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, count, main, option, tally } from "./support/report.mjs";

const rounds = count("rounds", Number(process.env.ROUNDS ?? 20));
const connections = count("connections", 6);
/** The longest life of the server, in ms; more if this machine is slow. */
let longest = count("longest", 1500);
/** Rounds after which every stored file is read and compared. */
const READ_ALL_EVERY = 20;
const LONGEST_START = 5;
/** The longest life of a parallel command, in ms; most end within half a second. */
const SHORT = 600;
const FILMS = 400;
/** Orphaned files for a sweep to find: few enough to be moved. */
const ORPHANS = 8;

const scratch = mkdtempSync(join(tmpdir(), "festival-kill-"));
const backups = join(scratch, "backups");
const ledger = new Ledger();
let retried = 0;

/** Sends a form on each connection and saves once, undisturbed; returns the milliseconds. */
async function measure(festival, browser) {
  const begin = performance.now();
  const forms = Array.from({ length: connections }, () => ledger.send(festival.url, draw()));
  await Promise.all([...forms, edit(festival, browser)]);
  return performance.now() - begin;
}

/** Sends forms one after another until the server is gone; returns the interrupted one, to be sent again. */
async function sender(festival, until, left) {
  let form = left;
  while (performance.now() < until) {
    if (form) retried++;
    form ??= draw();
    const answer = await ledger.send(festival.url, form, { timeout: 20_000 });
    if (answer.status === 0) return form;
    if (answer.status !== 201) console.log(`      ${answer.status}: ${JSON.stringify(answer.body).slice(0, 200)}`);
    form = null;
  }
  return form;
}

/** The editor's changes: the last acknowledged description, those tried since, and the names of new venues. */
const edits = { venue: null, acknowledged: null, tried: [], added: new Set(), wrong: [], count: 0 };

/** Adds a venue and changes another; `false` once the server is gone. */
async function edit(festival, browser) {
  browser.base = festival.url;
  const name = randomUUID();
  const added = await browser.save("/admin/venues/new", { name });
  if (added.status === 0) return false;
  if (added.status === 303) edits.added.add(name);
  else edits.wrong.push(`${added.status} to a new venue`);
  edits.venue ??= /"id":(\d+)/.exec((await browser.request("/api/venues/")).text)?.[1];
  if (!edits.venue) return false;
  const description = randomUUID();
  edits.tried.push(description);
  const saved = await browser.save(`/admin/venues/${edits.venue}`, { description });
  if (saved.status === 0) return false;
  if (saved.status === 303) [edits.acknowledged, edits.tried, edits.count] = [description, [], edits.count + 1];
  else edits.wrong.push(`${saved.status} to a changed venue`);
  return true;
}

/** Saves repeatedly until the server is gone. */
async function editor(festival, browser, until) {
  while (performance.now() < until && (await edit(festival, browser)));
}

/** Lists acknowledged edits that are missing, and edits that nobody made. */
async function wrongEdits(festival) {
  const venues = await (await fetch(`${festival.url}/api/venues/`)).json();
  const names = venues.map(({ name }) => name);
  const wrong = edits.wrong.splice(0);
  for (const name of edits.added) if (names.filter((each) => each === name).length !== 1) wrong.push(`LOST: the venue ${name}`);
  const there = venues.find(({ id }) => String(id) === edits.venue)?.description;
  if (edits.acknowledged && ![edits.acknowledged, ...edits.tried].includes(there)) wrong.push(`LOST: an edit; the site says ${there}`);
  return wrong;
}

/** Whether each import was acknowledged, by the name of its category. */
const imports = new Map();

/** Commands that run in parallel to the server and are killed with it; each returns what is wrong after the restart. */
const PARALLEL_COMMANDS = {
  async import(festival) {
    // Names similar to those of an earlier import would become questions.
    const [category, file] = [randomUUID(), join(scratch, "films.csv")];
    const films = Array.from({ length: FILMS }, (_, number) => `${category} ${number},Director ${number},India,2024,${60 + (number % 90)}`);
    writeFileSync(file, ["Title,Director,Country,Year,Duration", ...films].join("\n"));
    imports.set(category, false);
    return [festival.startCommand("films", "import", file, "--category", category), async ({ code }) => {
      imports.set(category, code === 0);
      return [];
    }];
  },
  async backup(festival) {
    const before = readdirSync(backups);
    return [festival.startCommand("backup", backups), async ({ code }) => {
      const made = readdirSync(backups).filter((name) => name.startsWith("festival-") && !before.includes(name));
      if (code === 0 && made.length !== 1) return ["an acknowledged backup is missing"];
      const checked = await Promise.all(made.map((name) => festival.attempt("backup", "--check", join(backups, name))));
      return checked.filter((one) => one.code !== 0).map(({ out }) => `a backup is incomplete: ${out}`);
    }];
  },
  async restore(festival) {
    if (festival.database) return PARALLEL_COMMANDS.backup(festival);
    const place = await Festival.make({ data: mkdtempSync(join(scratch, "place-")), isEmpty: true });
    copyFileSync(join(festival.data, "secrets.key"), join(place.data, "secrets.key"));
    const backup = join(backups, readdirSync(backups).filter((name) => name.startsWith("festival-")).sort().at(-1));
    return [place.startCommand("restore", backup), async ({ code }) => {
      // A second one continues, or is rejected because the first was complete.
      const again = code === 0 ? { code: 0 } : await place.attempt("restore", backup);
      const checked = await place.attempt("check");
      rmSync(place.data, { recursive: true });
      const isComplete = (again.code === 0 || again.errors.includes("into an empty place")) && checked.code === 0;
      return isComplete ? [] : [`a restore did not continue: ${again.errors ?? ""} ${checked.out}`];
    }];
  },
  async sweep(festival) {
    const folder = join(festival.data, "media/private/delegates");
    mkdirSync(folder, { recursive: true });
    const long = new Date(Date.now() - 2 * 3600 * 1000);
    for (let made = 0; made < ORPHANS; made++) {
      const path = join(folder, `${randomUUID().replaceAll("-", "")}.png`);
      writeFileSync(path, picture(4));
      utimesSync(path, long, long);
    }
    return [festival.startCommand("forms", "sweep"), async () => []];
  },
};

/** Lists imports that are only partly there. */
async function wrongImports(festival) {
  const categories = await (await fetch(`${festival.url}/api/categories/`)).json();
  const wrong = [];
  for (const [name, isAcknowledged] of imports) {
    const category = categories.find((each) => each.name === name);
    const films = category ? await (await fetch(`${festival.url}/api/categories/${category.id}/films/`)).json() : [];
    if (films.length !== FILMS && (isAcknowledged || films.length !== 0)) wrong.push(`${name}: ${films.length} films${isAcknowledged ? ", it was acknowledged" : ""}`);
  }
  return wrong;
}

process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
await main(async () => {
  const festival = await Festival.make({ database: option("database") });
  await createOwner(festival);
  await festival.start();
  const browser = new Browser(festival.url);
  if ((await browser.signIn()) !== 303) throw new Error("sign-in failed");
  longest = Math.max(longest, Math.ceil(4 * (await measure(festival, browser))));
  await festival.run("backup", backups);
  await festival.kill();
  console.log(`${program}\n${rounds} rounds, ${connections} connections and an editor, each lives for ${longest} ms at most\n`);
  console.log("round  commandProblems    ended  start s  lived ms  acknowledged  under way  edits  kept  swept  files read  wrong");
  let [slowest, wrongs, compared, swept, last] = [0, 0, 0, 0, null];
  const ends = [];
  let left = Array(connections).fill(null);
  for (let round = 1; round <= rounds; round++) {
    const name = Object.keys(PARALLEL_COMMANDS)[round % Object.keys(PARALLEL_COMMANDS).length];
    const started = await festival.start();
    slowest = Math.max(slowest, started);
    const [command, verify] = await PARALLEL_COMMANDS[name](festival);
    const early = setTimeout(() => command.child.kill("SIGKILL"), randomInt(20, SHORT));
    const [before, edited] = [ledger.acknowledged.size, edits.count];
    const lived = randomInt(30, longest);
    const until = performance.now() + lived;
    const sending = Promise.all(left.map((form) => sender(festival, until + 1000, form)));
    const editing = editor(festival, browser, until + 1000);
    await pause(lived);
    command.child.kill("SIGKILL");
    clearTimeout(early);
    await festival.kill();
    left = await sending;
    await editing;
    const end = await command.ended;
    ends.push(`${name} ${end.code === null ? "killed" : end.code === 0 ? "done" : "failed"}`);
    const commandProblems = end.code > 0 ? [`${name}: ${end.errors.trim()}`] : [];
    const filesBefore = (await festival.files()).kept.length + (await festival.files()).staged.length;
    const again = await festival.start();
    slowest = Math.max(slowest, again);
    const readAll = round % READ_ALL_EVERY === 0 || round === rounds;
    last = await ledger.verify(festival, { readAll });
    last.wrong.push(...commandProblems, ...(await verify(end)), ...(await wrongEdits(festival)), ...(await wrongImports(festival)));
    const { kept, staged } = await festival.files();
    const gone = filesBefore - kept.length - staged.length;
    [swept, compared, wrongs] = [swept + gone, compared + last.compared, wrongs + last.wrong.length];
    // The next round starts after a crash, too.
    await festival.kill();
    const cells = [name.padStart(8), end.code ?? "killed", again.toFixed(2), lived, ledger.acknowledged.size - before, left.filter(Boolean).length, edits.count - edited, last.kept, gone, last.compared, last.wrong.length];
    console.log(`${String(round).padStart(5)}${cells.map((cell, at) => String(cell).padStart([10, 7, 9, 10, 14, 11, 7, 6, 7, 12, 7][at])).join("")}`);
    for (const sentence of last.wrong.slice(0, 10)) console.log(`      ${sentence}`);
    for (const old of readdirSync(backups).filter((each) => each.startsWith("festival-")).sort().slice(0, -2)) rmSync(join(backups, old), { recursive: true });
  }
  const { statuses, acknowledged } = ledger;
  const imported = [...imports.values()].filter(Boolean).length;
  console.log(`\nresponses: ${tally(statuses)} (0: killed during sending); sent again: ${retried}; files swept: ${swept}; files compared: ${compared}`);
  console.log(`parallel commands: ${tally(ends)}; edits ${edits.count}, venues ${edits.added.size}, imports acknowledged ${imported}`);
  check("every acknowledged submission is stored once with its own files; every edit, import, backup and restore is complete", wrongs === 0, `${acknowledged.size} acknowledged, ${last.kept} kept`);
  check(`starts within ${LONGEST_START} s`, slowest < LONGEST_START, `slowest ${slowest.toFixed(2)} s`);
  check("some forms were acknowledged, and some were interrupted", acknowledged.size > 0 && edits.count > 0 && statuses.includes(0));
  check("the database is intact", ["ok", "Postgres", "sqlite3 is not installed"].includes(last.database), last.database);
  await festival.end();
});
