// Two processes on the same data: node tests/faults/two-processes.mjs [--only sqlite|postgres]. On SQLite a second
// server is rejected, and commands are safe while one runs; two servers on one Postgres share keys, sessions, mails
// and files.
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, createOwner } from "./support/browser.mjs";
import { picture } from "./support/files.mjs";
import { ADDRESS, body } from "./support/forms.mjs";
import { Ledger, draw, small } from "./support/ledger.mjs";
import { MailServer } from "./support/mail-server.mjs";
import { emptyDatabase, withPostgres } from "./support/postgres.mjs";
import { EDITION, Festival, pause, program } from "./support/program.mjs";
import { check, repeated, main, option, tally } from "./support/report.mjs";

const KEYS = 20;
const FORMS = 20;
const FILMS = 2000;
/** The time limit for mails, in seconds, with room for slow machines. */
const MAILS = 60;

const only = option("only");
if (only !== "sqlite") withPostgres();
const scratch = mkdtempSync(join(tmpdir(), "festival-two-"));

/** Sends forms one after another until stopped. */
async function sender(url, ledger, going) {
  while (going.on) await ledger.send(url, { ...draw(small), key: randomUUID() });
}

async function parallelCommands(festival) {
  console.log("\na second process on SQLite");
  const ledger = new Ledger();
  const going = { on: true };
  const sending = [1, 2].map(() => sender(festival.url, ledger, going));
  const [films, place] = [join(scratch, "films.csv"), join(scratch, "backups")];
  writeFileSync(films, ["Title,Director,Country,Year,Duration", ...Array.from({ length: FILMS }, (_, at) => `Film ${at},Director ${at},India,2024,90`)].join("\n"));
  const second = await festival.attempt("serve");
  check("a second server is rejected", second.code === 1 && second.errors.includes("another server uses"), second.errors.trim());
  const restored = await festival.attempt("restore", (await festival.run("backup", place)).trim());
  check("a restore is rejected", restored.code === 1 && restored.errors.includes("into an empty place"), restored.errors.trim());
  const commands = [["films", "import", films, "--category", "Beside"], ["backup", place], ["migrate"], ["seed", EDITION], ["forms", "sweep"], ["mail", "list"], ["check"]];
  const ends = await Promise.all(commands.map(async (command) => ({ command: command.slice(0, 2).join(" "), ...(await festival.attempt(...command)) })));
  // A command that finds the database locked reports it and changes nothing.
  const unclear = ends.filter(({ code, errors }) => code !== 0 && !/^error: .*\.\s*$/s.test(errors));
  check("parallel import, backup, migration, seed and sweep: done, or rejected with a message", unclear.length === 0, tally(ends.map(({ command, code }) => `${command} ${code === 0 ? "done" : "rejected"}`)));
  for (const { command, errors } of ends.filter(({ code }) => code !== 0)) console.log(`      ${command}: ${errors.trim()}`);
  going.on = false;
  await Promise.all(sending);
  check("forms get 201 or 503", ledger.statuses.every((status) => status === 201 || status === 503), tally(ledger.statuses));
  const categories = await (await fetch(`${festival.url}/api/categories/`)).json();
  const category = categories.find(({ name }) => name === "Beside");
  const list = category ? await (await fetch(`${festival.url}/api/categories/${category.id}/films/`)).json() : [];
  const isDone = ends[0].code === 0;
  check("the import is there completely or not at all", list.length === (isDone ? FILMS : 0), `${list.length} films`);
  const { wrong, kept } = await ledger.verify(festival);
  check("nothing acknowledged is lost", wrong.length === 0, [...wrong, `${kept} kept`].join("; "));
}

async function keys(servers) {
  const ledger = new Ledger();
  const forms = Array.from({ length: KEYS }, () => ({ ...draw(small), key: randomUUID() }));
  const answers = [];
  for (const form of forms) answers.push(await Promise.all([0, 1, 0, 1].map((at) => ledger.send(servers[at].url, form))));
  const differing = answers.filter((four) => new Set(four.map(({ status, body }) => `${status} ${body.reference}`)).size !== 1 || four[0].status !== 201);
  check("one form with one key, sent to both at once, gets one response", differing.length === 0, tally(ledger.statuses));
  const { wrong, kept } = await ledger.verify(servers[0]);
  check("it is one row with one set of files", wrong.length === 0 && kept === KEYS, [...wrong, `${kept} rows for ${KEYS} keys`].join("; "));
  return ledger;
}

async function sessions([a, b]) {
  const browser = new Browser(a.url);
  const signedIn = await browser.signIn();
  browser.base = b.url;
  check("a sign-in at one is valid at the other", signedIn === 303 && (await browser.isSignedIn()));
  const name = randomUUID();
  const saved = await browser.save("/admin/venues/new", { name });
  const until = performance.now() + 20_000;
  let text = "";
  while (!text.includes(name) && performance.now() < until) {
    text = await (await fetch(`${a.url}/api/venues/`)).text();
    await pause(100);
  }
  check("a change at one is visible at the other", saved.status === 303 && text.includes(name), saved.status);
  const account = await browser.request("/admin/");
  const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)?.[1];
  const out = await browser.request("/admin/sign-out", { csrf });
  browser.base = a.url;
  check("a sign-out at one is valid at the other", out.status === 303 && !(await browser.isSignedIn()));
}

/** Kills and restarts one server while the other receives a form with staged files. */
async function restartDuringUpload(servers) {
  const form = draw(small, "film");
  const { type, pieces } = body(form.values, form.files);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const asked = request(servers[1].url + ADDRESS.film, { method: "POST", headers: { "Content-Type": type, "Content-Length": length } });
  const answered = new Promise((done, fail) => asked.on("response", (answer) => (answer.resume(), done(answer.statusCode))).on("error", fail));
  const rest = pieces.splice(-3);
  for (const piece of pieces) asked.write(piece);
  while ((await servers[0].files()).staged.length === 0) await pause(50);
  // Old files are removed: then the sweep at the start has run.
  const old = join(servers[0].data, "media/staging/left-over");
  const long = new Date(Date.now() - 2 * 3600 * 1000);
  writeFileSync(old, "x");
  utimesSync(old, long, long);
  await servers[0].kill();
  await servers[0].start();
  const until = performance.now() + 20_000;
  while (existsSync(old) && performance.now() < until) await pause(50);
  for (const piece of rest) asked.write(piece);
  asked.end();
  const status = await answered;
  check("a starting server does not touch the other's incoming files", !existsSync(old) && status === 201, status);
}

/** Old orphaned files, and files of today, whose rows another process may be about to write. */
async function sweeps(festival, ledger) {
  const folder = join(festival.data, "media/private/delegates");
  const long = new Date(Date.now() - 2 * 3600 * 1000);
  for (let made = 0; made < 10; made++) {
    const path = join(folder, `${randomUUID().replaceAll("-", "")}.png`);
    writeFileSync(path, picture(4));
    if (made < 5) utimesSync(path, long, long);
  }
  const ends = await Promise.all([1, 2, 3].map(() => festival.attempt("forms", "sweep")));
  const trash = (await festival.run("trash", "list")).trim().split("\n").filter(Boolean).length;
  check("parallel sweeps remove old files once, and no recent file", ends.every(({ code }) => code === 0) && trash === 5, [...ends.map(({ out, errors }) => (out + errors).trim()), `${trash} files in the trash`].join("; "));
  const { wrong } = await ledger.verify(festival);
  check("and no file of a row", wrong.length === 1 && wrong[0] === "5 files have no row", wrong.join("; "));
  const { kept } = await festival.files();
  for (const { path } of kept) utimesSync(path, long, long);
  await festival.run("forms", "sweep");
}

async function mails(mailServer, servers) {
  const ledger = new Ledger();
  const forms = Array.from({ length: FORMS }, () => ({ ...draw(small), key: randomUUID() }));
  await Promise.all(forms.map((form, at) => ledger.send(servers[at % 2].url, form)));
  check("forms go to both", ledger.statuses.every((status) => status === 201), tally(ledger.statuses));
  const until = performance.now() + MAILS * 1000;
  while ((await servers[0].run("mail", "list")).trim() && performance.now() < until) await pause(500);
  // A receipt and a notification for each form, including earlier ones.
  const expectedMails = 2 * (FORMS + KEYS + 1);
  const duplicates = repeated(mailServer.mails.map(({ id }) => id));
  check("each mail is sent once, by either server", mailServer.mails.length === expectedMails && duplicates.length === 0, `${mailServer.mails.length} mails, ${expectedMails} expected, ${duplicates.length} duplicates`);
}

async function onPostgres() {
  console.log("\ntwo servers on one Postgres and one data folder");
  const mailServer = await new MailServer().listen();
  const database = await emptyDatabase();
  const first = await Festival.make({ database, settings: mailServer.settings() });
  await createOwner(first);
  const servers = [first, first.with({})];
  for (const server of servers) await server.start();
  const ledger = await keys(servers);
  await sessions(servers);
  await sweeps(first, ledger);
  await restartDuringUpload(servers);
  await mails(mailServer, servers);
  await servers[1].kill("SIGTERM");
  await first.end();
  await mailServer.close();
}

process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
await main(async () => {
  console.log(program);
  if (only !== "postgres") {
    const festival = await Festival.make();
    await festival.start();
    await parallelCommands(festival);
    await festival.end();
  }
  if (only !== "sqlite") await onPostgres();
});
