// Starts the program on a site's files with a wrong database: an empty one, another site's, yesterday's copy; then with
// the right one again: node tests/faults/wrong-database.mjs. No private file may be deleted.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Browser, createOwner } from "./support/browser.mjs";
import { sha256 } from "./support/files.mjs";
import { Ledger, draw, small } from "./support/ledger.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, main } from "./support/report.mjs";

/** Forms before yesterday's copy, and after it: too many files for the program to move. */
const [YESTERDAY, TODAY] = [8, 16];
/** Seconds after a database's last row in which unknown files count as left by a crash, and a few more. */
const AFTER_CRASH = 65;
/** A number of forms with few enough files to be moved. */
const FEW = 2;

const ledger = new Ledger();

async function sendForms(festival, count) {
  for (let sent = 0; sent < count; sent++) {
    const { status, body } = await ledger.send(festival.url, draw(small));
    if (status !== 201) throw new Error(`a form got ${status} ${JSON.stringify(body)}`);
  }
}

/** The hash of every private file anywhere below `media`, by path. */
async function privateFiles(festival, ...folders) {
  const { kept } = await festival.files(...folders);
  return new Map(kept.map(({ path }) => [path, sha256(readFileSync(path))]));
}

const same = (before, after) => before.size === after.size && [...before].every(([path, hash]) => after.get(path) === hash);

/** Tries everything that could do harm with the wrong database in `settings`; `expected` is the expected message. */
async function refuses(name, festival, settings, expected) {
  console.log(`\n${name}`);
  const before = await privateFiles(festival);
  const wrong = festival.with(settings);
  let refusal = "";
  try {
    await wrong.start();
    await pause(2000);
    refusal = (await wrong.get("/readyz")) === 200 ? "it started, and /readyz is 200" : expected;
    await wrong.kill("SIGTERM");
  } catch (error) {
    refusal = error.message;
  }
  check("the start fails with a message", refusal.includes(expected), refusal.split("\n").find((line) => line.includes(expected)) ?? refusal);
  const found = await wrong.attempt("check");
  check("festival check reports it", found.code === 1 && found.out.includes("D002") && found.out.includes(expected), found.out.trim());
  const swept = await wrong.attempt("forms", "sweep");
  check("a manual sweep is rejected", swept.code !== 0, (swept.errors || swept.out).trim());
  check("no private file was touched", same(before, await privateFiles(festival)), `${before.size} files`);
}

async function checkRightDatabase(festival) {
  await festival.start();
  const { wrong, compared } = await ledger.verify(festival);
  const [ready, checked] = [await festival.get("/readyz"), await festival.attempt("check")];
  check("with the right database everything works", wrong.length === 0 && ready === 200 && checked.code === 0, [...wrong, `/readyz ${ready}, ${compared} files compared`].join("; "));
  await festival.kill("SIGTERM");
}

/** An older copy of the site's own database: it fits, but lacks later submissions. */
async function olderCopy(festival, copy, count, isMany) {
  const file = join(festival.data, "festival.db");
  const today = join(festival.data, "today.db");
  const before = await privateFiles(festival);
  copyFileSync(file, today);
  copyFileSync(copy, file);
  await festival.start();
  const browser = new Browser(festival.url);
  const signedIn = await browser.signIn();
  const dashboardText = async () => (await browser.request("/admin/")).text;
  const until = performance.now() + 10_000;
  const warning = /stored files are not in the database/;
  while (isMany && !warning.test(await dashboardText()) && performance.now() < until) await pause(200);
  const dashboard = await dashboardText();
  const after = await privateFiles(festival, "private", "trash");
  const hashes = [...before.values()].sort().join();
  check("every file still exists, in the store or in the trash", [...after.values()].sort().join() === hashes, `${before.size} before, ${after.size} after`);
  const trash = (await festival.run("trash", "list")).trim().split("\n").filter(Boolean);
  if (isMany) {
    check("nothing was moved, and the dashboard reports it", signedIn === 303 && warning.test(dashboard) && trash.length === 0, warning.exec(dashboard)?.[0]);
  } else {
    check("files unknown to the copy are in the trash", trash.length === count, `${trash.length} files`);
    const key = trash[0].split(" ")[0];
    const to = join(festival.data, "out of the trash");
    const [path] = (await festival.run("trash", "restore", key, to)).trim().split("\n");
    check("a file can be restored from the trash", sha256(readFileSync(path)) === before.get(join(festival.data, "media/private", key)), key);
  }
  await festival.kill("SIGTERM");
  for (const ending of ["-wal", "-shm"]) rmSync(file + ending, { force: true });
  copyFileSync(today, file);
}

await main(async () => {
  console.log(program);
  const festival = await Festival.make();
  await createOwner(festival);
  await festival.start();
  await sendForms(festival, YESTERDAY);
  await festival.kill("SIGTERM");
  const yesterday = join(festival.data, "yesterday.db");
  copyFileSync(join(festival.data, "festival.db"), yesterday);
  await pause(AFTER_CRASH * 1000);
  await festival.start();
  await sendForms(festival, TODAY);
  await festival.kill("SIGTERM");

  const sqlite = (path) => ({ ROCKET_DATABASES: `{festival={url="sqlite://${path}"}}` });
  await refuses("an empty database with the files", festival, sqlite(join(festival.data, "mistyped.db")), "the database is new");
  const other = await Festival.make();
  await other.start();
  await new Ledger().send(other.url, draw(small));
  await other.kill("SIGTERM");
  await refuses("another site's database", festival, sqlite(join(other.data, "festival.db")), "the files in");
  mkdirSync(join(other.data, "elsewhere"));
  await refuses("the site's database with another folder", other, sqlite(join(festival.data, "festival.db")), "the files in");
  await other.end();
  await checkRightDatabase(festival);

  console.log("\nyesterday's copy, with many unknown files");
  await olderCopy(festival, yesterday, 0, true);
  await checkRightDatabase(festival);

  console.log("\na copy of an hour ago, with a few unknown files");
  const anHourAgo = join(festival.data, "an-hour-ago.db");
  copyFileSync(join(festival.data, "festival.db"), anHourAgo);
  const before = (await privateFiles(festival)).size;
  await festival.start();
  await sendForms(festival, FEW);
  await festival.kill("SIGTERM");
  await olderCopy(festival, anHourAgo, (await privateFiles(festival)).size - before, false);
  await checkRightDatabase(festival);
  await festival.end();
});
