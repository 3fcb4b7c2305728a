// Moves the clock of the running program an hour back and a day forward between requests: node tests/faults/clock.mjs.
// Needs libfaketime (Debian: apt-get install libfaketime). The script itself uses the machine's clock.
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, createOwner } from "./support/browser.mjs";
import { Ledger, draw, small } from "./support/ledger.mjs";
import { MailServer } from "./support/mail-server.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, main, repeated, requirePackage, tally } from "./support/report.mjs";

const HOUR = 3600;
const DAY = 24 * HOUR;
/** The time limit for mails, in seconds, with room for slow machines. */
const MAILS = 60;

const findLibrary = () => ["/usr/lib", "/usr/local/lib"]
  .flatMap((top) => [top, ...(existsSync(top) ? readdirSync(top).filter((name) => name.endsWith("-linux-gnu")).map((name) => join(top, name)) : [])])
  .map((folder) => join(folder, "faketime/libfaketimeMT.so.1"))
  .find((path) => existsSync(path));
requirePackage("libfaketime", findLibrary);
const library = findLibrary();
const scratch = mkdtempSync(join(tmpdir(), "festival-clock-"));
const offset = join(scratch, "offset");
const setClock = (seconds) => writeFileSync(offset, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}s\n`);

/** The hours between the program's clock and ours, by the last form. */
async function hoursAhead(festival) {
  const rows = [...(await festival.submissions("film")), ...(await festival.submissions("delegate"))];
  const last = rows.find(({ reference }) => reference === [...ledger.acknowledged.values()].at(-1).reference);
  return Math.round((new Date(last.created_at) - Date.now()) / HOUR / 100) / 10;
}

const ledger = new Ledger();
let kills = 0;

/** Ends the program at once, as a crash does, and starts it. */
async function crash(festival) {
  await festival.kill();
  kills++;
  await festival.start();
}

async function expectAcceptedForm(festival, form = { ...draw(small), key: randomUUID() }) {
  const first = await ledger.send(festival.url, form);
  const again = await ledger.send(festival.url, form);
  check("a form is accepted, and once per key", first.status === 201 && again.body.reference === first.body.reference, `${first.status} ${first.body.reference ?? first.body.error}`);
  return form;
}

/** Checks that all submissions exist and no recent file is in the trash. */
async function expectNothingLost(festival) {
  const { wrong, kept, compared } = await ledger.verify(festival);
  const trash = (await festival.run("trash", "list")).trim();
  check("nothing acknowledged is lost, no sweep removes recent files", wrong.length === 0 && trash === "", [...wrong, trash, `${kept} kept, ${compared} files compared`].filter(Boolean).join("; "));
}

process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
await main(async () => {
  console.log(program);
  setClock(0);
  const mailServer = await new MailServer().listen();
  /** Waits until each mail has arrived at least once; returns how many have. */
  const mailsArrived = async () => {
    const [until, expected] = [performance.now() + MAILS * 1000, 2 * ledger.acknowledged.size];
    const arrived = () => new Set(mailServer.mails.map(({ id }) => id)).size;
    while (arrived() < expected && performance.now() < until) await pause(500);
    return arrived();
  };
  // Forms close in two hours by the server's clock.
  const closes = new Date(Date.now() + 2 * HOUR * 1000).toISOString().slice(0, 19) + "+00:00";
  const settings = { ...mailServer.settings(), FESTIVAL_MODULES__FORMS__CLOSES_AT__DELEGATE: closes };
  // Timers follow the machine's clock: only the time of day jumps.
  const faked = { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: offset, FAKETIME_NO_CACHE: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1", DONT_FAKE_MONOTONIC: "1", NO_FAKE_STAT: "1" };
  const festival = await Festival.make({ settings: { ...settings, ...faked } });
  await createOwner(festival);
  await festival.start();
  const browser = new Browser(festival.url);
  check("sign-in works", (await browser.signIn()) === 303);
  const first = await expectAcceptedForm(festival, { ...draw(small, "film"), key: randomUUID() });

  console.log("\nan hour back");
  setClock(-HOUR);
  check("the session stays valid", await browser.isSignedIn());
  check("sign-in works", (await new Browser(festival.url).signIn()) === 303);
  await expectAcceptedForm(festival);
  const ahead = await hoursAhead(festival);
  check("the program's clock differs", ahead === -1, `${ahead} h`);
  const resent = await ledger.send(festival.url, first);
  check("an earlier form, sent again, gets the same reference", resent.body.reference === ledger.acknowledged.get(first.title).reference, resent.body.reference);
  await crash(festival);
  browser.base = festival.url;
  check("it is ready and signed in after a crash and restart", (await festival.get("/readyz")) === 200 && (await browser.isSignedIn()));
  await expectNothingLost(festival);

  console.log("\nforward, to half an hour before and after the deadline");
  setClock(1.5 * HOUR);
  check("a registration before the deadline is accepted", (await ledger.send(festival.url, { ...draw(small, "delegate"), key: randomUUID() })).status === 201);
  check("the earlier session has ended", !(await browser.isSignedIn()));
  setClock(2.5 * HOUR);
  const late = await ledger.send(festival.url, { ...draw(small, "delegate"), key: randomUUID() });
  check("a registration after the deadline is rejected", [403, 410].includes(late.status), `${late.status} ${late.body.error}`);

  console.log("\na day forward");
  setClock(DAY);
  check("yesterday's sessions have ended", !(await browser.isSignedIn()));
  check("sign-in works", (await browser.signIn()) === 303);
  await expectAcceptedForm(festival, { ...draw(small, "film"), key: randomUUID() });
  const tomorrow = await ledger.send(festival.url, first);
  check("yesterday's form, sent again, gets the same reference", tomorrow.body.reference === ledger.acknowledged.get(first.title).reference, tomorrow.body.reference);
  // Those that the crash kept back would wait for a day once the clock is right again.
  await mailsArrived();
  await crash(festival);
  await expectNothingLost(festival);
  console.log("\nback to the present");
  setClock(0);
  browser.base = festival.url;
  await crash(festival);
  browser.base = festival.url;
  check("a session from the future is still valid", await browser.isSignedIn());
  await expectAcceptedForm(festival, { ...draw(small, "film"), key: randomUUID() });
  await expectNothingLost(festival);
  // A mail that the mail server has already received when its sender is killed is sent again, with the same Message-ID.
  const [sent, duplicates] = [await mailsArrived(), repeated(mailServer.mails.map(({ id }) => id))];
  check("each mail is sent, and repeated at most once for a kill", sent === 2 * ledger.acknowledged.size && duplicates.length <= kills, `${sent} of ${2 * ledger.acknowledged.size} mails, ${duplicates.length} repeated, ${kills} kills`);
  check("forms were accepted or rejected with a message", ledger.statuses.every((status) => [201, 403, 410].includes(status)), tally(ledger.statuses));
  await festival.end();
  await mailServer.close();
});
