// Starts the program on a site's files with a database that is not theirs: an empty one, another site's, yesterday's
// copy. Then with the right one again: node tests/faults/wrong-database.mjs. Not one private file may go for good.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Browser, createOwner } from "./support/browser.mjs";
import { sha256 } from "./support/files.mjs";
import { Ledger, draw, small } from "./support/ledger.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, main } from "./support/report.mjs";

/** Forms before yesterday's copy, and after it: so many files that they cannot be a mistake of the program's own. */
const [YESTERDAY, TODAY] = [8, 16];
/** The files of so many forms are few enough to be moved. */
const FEW = 2;

const ledger = new Ledger();

async function sendForms(festival, count) {
  for (let sent = 0; sent < count; sent++) {
    const { status, body } = await ledger.send(festival.url, draw(small));
    if (status !== 201) throw new Error(`a form was answered ${status} ${JSON.stringify(body)}`);
  }
}

/** Every private file with its hash, wherever below `media` it lies: place to hash. */
async function privateFiles(festival, ...folders) {
  const { kept } = await festival.files(...folders);
  return new Map(kept.map(({ path }) => [path, sha256(readFileSync(path))]));
}

const same = (before, after) => before.size === after.size && [...before].every(([path, hash]) => after.get(path) === hash);

/** Tries everything that could do harm, with the wrong database that `settings` name; `words` is what must be said. */
async function refuses(name, festival, settings, words) {
  console.log(`\n${name}`);
  const before = await privateFiles(festival);
  const wrong = festival.with(settings);
  let refusal = "";
  try {
    await wrong.start();
    await pause(2000);
    refusal = (await wrong.get("/readyz")) === 200 ? "it started, and /readyz is 200" : words;
    await wrong.kill("SIGTERM");
  } catch (error) {
    refusal = error.message;
  }
  check("the start refuses with a sentence", refusal.includes(words), refusal.split("\n").find((line) => line.includes(words)) ?? refusal);
  const found = await wrong.attempt("check");
  check("festival check says so", found.code === 1 && found.out.includes("D002") && found.out.includes(words), found.out.trim());
  const swept = await wrong.attempt("forms", "sweep");
  check("a sweep by hand is refused too", swept.code !== 0, (swept.words || swept.out).trim());
  check("no private file was touched", same(before, await privateFiles(festival)), `${before.size} files`);
}

async function rightAgain(festival) {
  await festival.start();
  const { wrong, compared } = await ledger.verify(festival);
  const [ready, checked] = [await festival.get("/readyz"), await festival.attempt("check")];
  check("with the right one all is well", wrong.length === 0 && ready === 200 && checked.code === 0, [...wrong, `/readyz ${ready}, ${compared} files compared`].join("; "));
  await festival.kill("SIGTERM");
}

/** An older copy of the site's own database: it fits, and does not know what came after it. */
async function olderCopy(festival, copy, count, isMany) {
  const file = join(festival.data, "festival.db");
  const today = join(festival.data, "today.db");
  const before = await privateFiles(festival);
  copyFileSync(file, today);
  copyFileSync(copy, file);
  await festival.start();
  const browser = new Browser(festival.url);
  const signedIn = await browser.signIn();
  const said = async () => (await browser.ask("/admin/")).text;
  const until = performance.now() + 10_000;
  const words = /files belong to nothing that the database knows/;
  while (isMany && !words.test(await said()) && performance.now() < until) await pause(200);
  const dashboard = await said();
  const after = await privateFiles(festival, "private", "trash");
  const hashes = [...before.values()].sort().join();
  check("every file is still there, in its place or in the trash", [...after.values()].sort().join() === hashes, `${before.size} before, ${after.size} after`);
  const trash = (await festival.run("trash", "list")).trim().split("\n").filter(Boolean);
  if (isMany) {
    check("nothing was moved, and the first page of the back office says so", signedIn === 303 && words.test(dashboard) && trash.length === 0, words.exec(dashboard)?.[0]);
  } else {
    check("what the copy does not name is in the trash", trash.length === count, `${trash.length} files`);
    const key = trash[0].split(" ")[0];
    const to = join(festival.data, "out of the trash");
    const [path] = (await festival.run("trash", "restore", key, to)).trim().split("\n");
    check("a file can be taken out of it", sha256(readFileSync(path)) === before.get(join(festival.data, "media/private", key)), key);
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
  await festival.start();
  await sendForms(festival, TODAY);
  await festival.kill("SIGTERM");

  const sqlite = (path) => ({ ROCKET_DATABASES: `{festival={url="sqlite://${path}"}}` });
  await refuses("an empty database beside the files", festival, sqlite(join(festival.data, "mistyped.db")), "the database is new");
  const other = await Festival.make();
  await other.start();
  await new Ledger().send(other.url, draw(small));
  await other.kill("SIGTERM");
  await refuses("another site's database", festival, sqlite(join(other.data, "festival.db")), "the files in");
  mkdirSync(join(other.data, "elsewhere"));
  await refuses("the site's database beside another folder", other, sqlite(join(festival.data, "festival.db")), "the files in");
  await other.end();
  await rightAgain(festival);

  console.log("\nyesterday's copy, with many files that it does not name");
  await olderCopy(festival, yesterday, 0, true);
  await rightAgain(festival);

  console.log("\na copy of an hour ago, with a few");
  const anHourAgo = join(festival.data, "an-hour-ago.db");
  copyFileSync(join(festival.data, "festival.db"), anHourAgo);
  const before = (await privateFiles(festival)).size;
  await festival.start();
  await sendForms(festival, FEW);
  await festival.kill("SIGTERM");
  await olderCopy(festival, anHourAgo, (await privateFiles(festival)).size - before, false);
  await rightAgain(festival);
  await festival.end();
});
