// Fills the disk, locks the database, and takes the store and the mail server from the running program:
// node tests/faults/full-disk.mjs [--rounds 20] [--only disks|locks|stores|broken|mails].
// Needs root for small disks in memory, sqlite3 for the lock, and strace for the broken disk.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pdf, picture, sideFor } from "./support/files.mjs";
import { FILE_FIELDS, TAKES_PDF, send, texts } from "./support/forms.mjs";
import { integrity, rows, storeProblems, referenceProblems } from "./support/integrity.mjs";
import { MailServer } from "./support/mail-server.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, count, impossible, main, option, repeated, requirePackage, runs, tally } from "./support/report.mjs";

const rounds = count("rounds", 20);
const MOUNTED = [];
const scratch = mkdtempSync(join(tmpdir(), "festival-disk-"));

/** Mounts a disk of this size, in MB, at a new folder. */
function smallDisk(name, megabytes) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  MOUNTED.push(folder);
  return folder;
}

function form(size) {
  const files = FILE_FIELDS.film.map((field) => [field, { name: "a", bytes: TAKES_PDF.has(field) ? pdf(size) : picture(sideFor(size)) }]);
  return { values: texts("film"), files: Object.fromEntries(files), key: randomUUID() };
}

const refused = ({ status, body }, ...among) => among.includes(status) && typeof body.error === "string" && body.error.endsWith(".");
const say = ({ status, headers, body }) => `${status} ${body.error ?? body.reference}${headers["retry-after"] ? ` (Retry-After ${headers["retry-after"]})` : ""}`;

/** Checks that only acknowledged submissions exist. */
async function checkStored(festival, acknowledged) {
  const all = await rows(festival);
  const wrong = [...(await storeProblems(festival, all)), ...referenceProblems(all)];
  if (all.film.length !== acknowledged) wrong.push(`${all.film.length} rows, ${acknowledged} acknowledged`);
  const database = integrity(festival);
  if (database !== "ok") wrong.push(database);
  check("nothing incomplete is left", wrong.length === 0, wrong.join("; "));
}

/** Sends many times while `disk` has less than `most` bytes free, then with free space again. */
async function fill(name, festival, disk, most = 3_000_000) {
  console.log(`\na full disk: ${name}`);
  const answers = [];
  let [got, reading] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const { bavail, bsize } = statfsSync(disk);
    const freeBytes = randomInt(0, most);
    const filler = join(disk, "filler");
    writeFileSync(filler, Buffer.alloc(0));
    spawnSync("fallocate", ["-l", String(Math.max(1, bavail * bsize - freeBytes)), filler]);
    got = await Promise.all([1, 2, 3].map(() => send(festival.url, "film", form(300_000))));
    answers.push(...got);
    reading.push(await festival.get("/api/site/"), await festival.get("/"));
    rmSync(filler, { force: true });
    if (round % 5 === 4) await checkStored(festival, festival.before + answers.filter(({ status }) => status === 201).length);
  }
  check("507 or 503 with a message, or stored", answers.every((answer) => answer.status === 201 || refused(answer, 503, 507)), tally(answers.map(({ status }) => status)));
  if (answers.some(({ status }) => status === 500)) console.log(festival.errors); // The causes from the log.
  check("the disk was full at least once", answers.some(({ status }) => status === 507 || status === 503));
  for (const message of new Set(answers.filter(({ status }) => status !== 201).map(say))) console.log(`      ${message}`);
  check("pages and lists are readable meanwhile", reading.every((status) => status === 200), tally(reading));
  const after = await send(festival.url, "film", form(300_000));
  check("with free space it recovers without a restart", after.status === 201, say(after));
  festival.before += [...answers, after].filter(({ status }) => status === 201).length;
  await checkStored(festival, festival.before);
}

/** A festival with its data in `data`, and its media on another disk if `media` is set. */
async function on(data, media, settings = {}) {
  if (media) symlinkSync(media, join(data, "media"));
  const festival = await Festival.make({ data, settings: { FESTIVAL_UPLOADS__KEEP_FREE_MIB: "0", ...settings } });
  festival.before = 0;
  await festival.start();
  return festival;
}

async function disks() {
  const all = smallDisk("all", 192);
  let festival = await on(all);
  await fill("data and media together", festival, all);
  await festival.kill("SIGTERM");

  const media = smallDisk("media", 192);
  mkdirSync(join(scratch, "plain"));
  festival = await on(join(scratch, "plain"), media);
  await fill("media alone", festival, media);
  await festival.kill("SIGTERM");

  const database = smallDisk("database", 64);
  mkdirSync(join(scratch, "plain-media"));
  festival = await on(database, join(scratch, "plain-media"));
  await fill("database alone", festival, database, 30_000);
  await festival.kill("SIGTERM");

  console.log("\nless free space than uploads must leave");
  festival = await on(smallDisk("floor", 64), null, { FESTIVAL_UPLOADS__KEEP_FREE_MIB: "1024" });
  const answer = await send(festival.url, "film", form(10_000));
  check("507 with a message", refused(answer, 507) && Number(answer.headers["retry-after"]) > 0, say(answer));
  await festival.kill("SIGTERM");
}

/** Sends a form while another process holds the write lock for this number of seconds. */
async function locked(festival, seconds) {
  const holder = spawn("sqlite3", [join(festival.data, "festival.db")], { stdio: ["pipe", "pipe", "inherit"] });
  // The site may be writing: wait for it, and measure once the lock is held.
  holder.stdin.write(".timeout 30000\nBEGIN IMMEDIATE;\nSELECT 'locked';\n");
  await new Promise((done) => holder.stdout.once("data", done));
  const sent = form(20_000);
  const asked = send(festival.url, "film", sent);
  const reading = await festival.get("/api/site/");
  await pause(seconds * 1000);
  holder.stdin.end("COMMIT;\n");
  await new Promise((done) => holder.once("exit", done));
  return { sent, reading, answer: await asked };
}

async function locks() {
  console.log("\nthe database is locked by another process");
  const data = join(scratch, "locked");
  mkdirSync(data);
  const festival = await on(data);
  const [short, long, again] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    short.push(await locked(festival, 3));
    // A form waits 5 s for the writer before it in the program, and 5 s for other processes.
    long.push(await locked(festival, 12));
    again.push(await send(festival.url, "film", long.at(-1).sent));
  }
  const statuses = (list) => tally(list.map(({ status }) => status));
  const [stored, delayed] = [short, long].map((list) => list.map(({ answer }) => answer));
  check("3 s: each form is stored", stored.every(({ status }) => status === 201), statuses(stored));
  check("12 s: 503 with Retry-After", delayed.every((answer) => refused(answer, 503) && Number(answer.headers["retry-after"]) > 0), statuses(delayed));
  check("reading works meanwhile", [...short, ...long].every(({ reading }) => reading === 200));
  check("the same forms with the same keys are stored", again.every(({ status }) => status === 201), statuses(again));
  await checkStored(festival, 2 * rounds);
  await festival.kill("SIGTERM");
}

/** Checks that `/readyz` soon responds with `status`: it caches its result for a second. */
async function isReady(festival, status) {
  const until = performance.now() + 10_000;
  let answer;
  do {
    answer = await festival.get("/readyz");
    if (answer !== status) await pause(200);
  } while (answer !== status && performance.now() < until);
  check(`/readyz is ${status}`, answer === status, answer);
}

/** Makes `folder` read-only for files opened from now on; a disk with open files cannot be remounted read-only. */
function makeReadOnly(folder) {
  execFileSync("mount", ["--bind", folder, folder]);
  execFileSync("mount", ["-o", "remount,bind,ro", folder]);
}

async function stores() {
  const data = join(scratch, "stores");
  mkdirSync(data);
  const disk = smallDisk("store", 64);
  const festival = await on(data, disk);
  const media = join(data, "media");
  const movedMedia = join(data, "aside");
  let kept = 0;
  const withBrokenStore = async (site, name, away, back) => {
    console.log(`\nthe store ${name}`);
    away();
    const answer = await send(site.url, "film", form(20_000));
    check("503 or 507 with a message", refused(answer, 503, 507), say(answer));
    check("reading works", (await site.get("/api/site/")) === 200);
    await isReady(site, 503);
    back();
    await isReady(site, 200);
    const after = await send(site.url, "film", form(20_000));
    check("once it is back, it recovers without a restart", after.status === 201, say(after));
    await checkStored(site, ++kept);
  };
  const unmount = (folder) => execFileSync("umount", [folder]);
  await withBrokenStore(festival, "cannot be written to", () => makeReadOnly(disk), () => unmount(disk));
  await withBrokenStore(festival, "is a file", () => (renameSync(media, movedMedia), writeFileSync(media, "")), () => (rmSync(media), renameSync(movedMedia, media)));
  await withBrokenStore(festival, "leads nowhere", () => (renameSync(media, movedMedia), symlinkSync(join(scratch, "nowhere", "deep"), media)), () => (rmSync(media), renameSync(movedMedia, media)));
  const gone = ["is gone, as a disk that is not mounted", () => renameSync(media, movedMedia), () => (rmSync(media, { recursive: true, force: true }), renameSync(movedMedia, media))];
  await withBrokenStore(festival, ...gone);
  await festival.kill("SIGTERM");
  const everything = smallDisk("everything", 64);
  const full = await on(everything);
  kept = 0;
  await withBrokenStore(full, "and the database are on a disk that cannot be written to", () => makeReadOnly(everything), () => unmount(everything));
  await full.kill("SIGTERM");
}

/** The disk accepts writes, but reports an error at fsync. */
async function broken() {
  console.log("\nthe disk reports errors");
  requirePackage("strace", () => runs("strace", "-V"));
  const data = join(scratch, "broken");
  mkdirSync(data);
  const festival = await on(data);
  const tracer = spawn("strace", ["-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO", "-p", String(festival.child.pid)], { stdio: "ignore" });
  const ended = new Promise((done) => tracer.once("exit", done));
  await isReady(festival, 503);
  const sent = form(20_000);
  const answer = await send(festival.url, "film", sent);
  check("503 with a message", refused(answer, 503), say(answer));
  check("reading works", (await festival.get("/api/site/")) === 200);
  await checkStored(festival, 0);
  tracer.kill("SIGINT");
  await ended;
  await isReady(festival, 200);
  const again = await send(festival.url, "film", sent);
  check("the same form with the same key is stored once the disk works", again.status === 201, say(again));
  await checkStored(festival, 1);
  await festival.kill("SIGTERM");
}

/** Sends forms while no mail server listens; then it listens. */
async function mailServerUnreachable() {
  console.log("\nthe mail server is unreachable while forms arrive");
  const mailServer = await new MailServer().listen();
  await mailServer.close();
  const data = join(scratch, "mail");
  mkdirSync(data);
  const festival = await on(data, null, mailServer.settings());
  const answers = [];
  for (let sent = 0; sent < rounds; sent++) answers.push(await send(festival.url, "film", form(10_000)));
  check("forms are accepted", answers.every(({ status }) => status === 201), tally(answers.map(({ status }) => status)));
  const waiting = (await festival.run("mail", "list")).trim().split("\n");
  check("their mails wait, and the list shows why", waiting.length >= 2 * rounds, `${waiting.length} lines; ${waiting.at(-1)}`);
  await mailServer.listen(mailServer.port);
  // The program waits a minute after an unreachable mail server.
  const until = performance.now() + 180_000;
  while (mailServer.mails.length < 2 * rounds && performance.now() < until) await pause(200);
  const duplicates = repeated(mailServer.mails.map(({ id }) => id));
  check("once it is back, each mail is sent exactly once", mailServer.mails.length === 2 * rounds && duplicates.length === 0, `${mailServer.mails.length} mails of ${rounds} forms, ${duplicates.length} duplicates`);
  await checkStored(festival, rounds);
  await festival.kill("SIGTERM");
  await mailServer.close();
}

if (process.getuid?.() !== 0) impossible("small disks in memory need root");
requirePackage("sqlite3", () => runs("sqlite3", "--version"));
process.on("exit", () => {
  for (const folder of MOUNTED.reverse()) spawnSync("umount", ["-l", folder]);
  rmSync(scratch, { recursive: true, force: true });
});
await main(async () => {
  const only = option("only");
  console.log(program);
  for (const [name, part] of Object.entries({ disks, locks, stores, broken, mails: mailServerUnreachable })) if (!only || only === name) await part();
});
