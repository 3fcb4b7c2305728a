// Moves the clock of the running program an hour back and a day forward, between requests: node tests/faults/clock.mjs.
// Needs libfaketime (Debian: apt-get install libfaketime); its own clock stays the machine's.
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, createOwner } from "./support/browser.mjs";
import { Ledger, draw, small } from "./support/ledger.mjs";
import { MailServer } from "./support/mail-server.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, doubles, main, tally } from "./support/report.mjs";

const HOUR = 3600;
const DAY = 24 * HOUR;
/** The longest that mails may take, in seconds: the machine may be a slow one. */
const MAILS = 60;

const library = ["/usr/lib", "/usr/local/lib"]
  .flatMap((top) => [top, ...(existsSync(top) ? readdirSync(top).filter((name) => name.endsWith("-linux-gnu")).map((name) => join(top, name)) : [])])
  .map((folder) => join(folder, "faketime/libfaketimeMT.so.1"))
  .find((path) => existsSync(path));
if (!library) {
  console.log("skipped: this needs libfaketime (Debian: apt-get install libfaketime)");
  process.exit(0);
}
const scratch = mkdtempSync(join(tmpdir(), "festival-clock-"));
const offset = join(scratch, "offset");
const setClock = (seconds) => writeFileSync(offset, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}s\n`);

/** The hours between the program's clock and ours, as the last form has them. */
async function hoursAhead(festival) {
  const rows = [...(await festival.submissions("film")), ...(await festival.submissions("delegate"))];
  const last = rows.find(({ reference }) => reference === [...ledger.acknowledged.values()].at(-1).reference);
  return Math.round((new Date(last.created_at) - Date.now()) / HOUR / 100) / 10;
}

const ledger = new Ledger();

async function takesForms(festival, form = { ...draw(small), key: randomUUID() }) {
  const first = await ledger.send(festival.url, form);
  const again = await ledger.send(festival.url, form);
  check("a form is taken, and once with its key", first.status === 201 && again.body.reference === first.body.reference, `${first.status} ${first.body.reference ?? first.body.error}`);
  return form;
}

/** All of it is there, and nothing young is in the trash. */
async function isWhole(festival) {
  const { wrong, kept, compared } = await ledger.verify(festival);
  const trash = (await festival.run("trash", "list")).trim();
  check("nothing acknowledged is lost, no sweep takes what is young", wrong.length === 0 && trash === "", [...wrong, trash, `${kept} kept, ${compared} files compared`].filter(Boolean).join("; "));
}

process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
await main(async () => {
  console.log(program);
  setClock(0);
  const mailServer = await new MailServer().listen();
  // Forms close in two hours, by the clock of the server.
  const closes = new Date(Date.now() + 2 * HOUR * 1000).toISOString().slice(0, 19) + "+00:00";
  const settings = { ...mailServer.settings(), FESTIVAL_MODULES__FORMS__CLOSES_AT__DELEGATE: closes };
  // What waits does so by the machine's own pace: only the time of day jumps.
  const faked = { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: offset, FAKETIME_NO_CACHE: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1", DONT_FAKE_MONOTONIC: "1", NO_FAKE_STAT: "1" };
  const festival = await Festival.make({ settings: { ...settings, ...faked } });
  await createOwner(festival);
  await festival.start();
  const browser = new Browser(festival.url);
  check("somebody signs in", (await browser.signIn()) === 303);
  const first = await takesForms(festival, { ...draw(small, "film"), key: randomUUID() });

  console.log("\nan hour back");
  setClock(-HOUR);
  check("the session goes on", await browser.isSignedIn());
  check("somebody can sign in", (await new Browser(festival.url).signIn()) === 303);
  await takesForms(festival);
  const ahead = await hoursAhead(festival);
  check("the program's clock is another", ahead === -1, `${ahead} h`);
  const resent = await ledger.send(festival.url, first);
  check("a form of before, sent again, is the same", resent.body.reference === ledger.acknowledged.get(first.title).reference, resent.body.reference);
  await festival.kill();
  await festival.start();
  browser.base = festival.url;
  check("after a crash and a start too", (await festival.get("/readyz")) === 200 && (await browser.isSignedIn()));
  await isWhole(festival);

  console.log("\nforward, to half an hour before and after forms close");
  setClock(1.5 * HOUR);
  check("before, a registration is taken", (await ledger.send(festival.url, { ...draw(small, "delegate"), key: randomUUID() })).status === 201);
  check("the session of before has ended", !(await browser.isSignedIn()));
  setClock(2.5 * HOUR);
  const late = await ledger.send(festival.url, { ...draw(small, "delegate"), key: randomUUID() });
  check("after, it is refused by the server's clock", [403, 410].includes(late.status), `${late.status} ${late.body.error}`);

  console.log("\na day forward");
  setClock(DAY);
  check("sessions of yesterday have ended", !(await browser.isSignedIn()));
  check("somebody can sign in", (await browser.signIn()) === 303);
  await takesForms(festival, { ...draw(small, "film"), key: randomUUID() });
  const tomorrow = await ledger.send(festival.url, first);
  check("yesterday's form, sent again, is the same", tomorrow.body.reference === ledger.acknowledged.get(first.title).reference, tomorrow.body.reference);
  await festival.kill();
  await festival.start();
  await isWhole(festival);
  console.log("\nand back again");
  setClock(0);
  browser.base = festival.url;
  await festival.kill();
  await festival.start();
  browser.base = festival.url;
  check("a session of the future is one of now", await browser.isSignedIn());
  await takesForms(festival, { ...draw(small, "film"), key: randomUUID() });
  await isWhole(festival);
  // What was put off until a moment of the other clock goes out by now or then.
  const until = performance.now() + MAILS * 1000;
  const wanted = 2 * ledger.acknowledged.size;
  while (mailServer.mails.length < wanted && performance.now() < until) await pause(500);
  const twice = doubles(mailServer.mails.map(({ id }) => id));
  check("each mail is sent, and once", mailServer.mails.length === wanted && twice.length === 0, `${mailServer.mails.length} mails, ${wanted} wanted, ${twice.length} twice`);
  check("forms were taken or refused with words", ledger.statuses.every((status) => [201, 403, 410].includes(status)), tally(ledger.statuses));
  await festival.end();
  await mailServer.close();
});
