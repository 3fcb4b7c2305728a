// The load before the deadline: node tests/faults/soak.mjs [--minutes 30], or MINUTES=3 make soak. 200 visitors read
// pages, film-makers and delegates send forms, editors save; sometimes a list is imported, once a backup is made.
// Prints latencies and memory; nothing may be lost, and nothing may be left over.
import { randomInt, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, createOwner } from "./support/browser.mjs";
import { Ledger, draw } from "./support/ledger.mjs";
import { MailServer } from "./support/mail-server.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, count, repeated, main, tally } from "./support/report.mjs";

const minutes = count("minutes", Number(process.env.MINUTES ?? 30));
const [VISITORS, FILM_MAKERS, DELEGATES, EDITORS] = [200, 4, 3, 3];
/** Seconds between two imports. */
const IMPORT_EVERY = 60;
const FILMS = 200;
/** Seconds between two samples of memory and descriptors. */
const SAMPLE_EVERY = 5;
const MOST_MEMORY = 300;
/** The limit of memory growth after the first third, in MB a minute, and the minutes of a run from which it applies. */
const [MOST_SLOPE, LONG] = [1, 10];
const MORE_DESCRIPTORS = 5;

const scratch = mkdtempSync(join(tmpdir(), "festival-soak-"));
const ledger = new Ledger();
const times = new Map();
const answers = new Map();
const badResponses = new Set();

/** Runs one action and records its duration and result. */
async function timed(kind, work) {
  const begin = performance.now();
  const { status, retryAfter, errors } = await work();
  times.set(kind, [...(times.get(kind) ?? []), performance.now() - begin]);
  answers.set(kind, [...(answers.get(kind) ?? []), status]);
  if (status === 0 || (status >= 500 && !(status === 503 && Number(retryAfter) > 0))) badResponses.add(`${kind}: ${status} ${errors}`);
  return status;
}

/** Waits between two actions of a person, unless the run is over. */
async function think(night, least, most) {
  const until = Math.min(performance.now() + randomInt(least, most), night.end);
  await pause(Math.max(0, until - performance.now()));
}

async function visitor(festival, night, paths) {
  await think(night, 0, 10_000);
  while (performance.now() < night.end) {
    await timed("page", async () => {
      try {
        const answer = await fetch(festival.url + paths[randomInt(paths.length)], { signal: AbortSignal.timeout(60_000) });
        await answer.arrayBuffer();
        return { status: answer.status, retryAfter: answer.headers.get("retry-after") };
      } catch (error) {
        return { status: 0, errors: String(error) };
      }
    });
    await think(night, 2000, 10_000);
  }
}

/** Sends forms; one that was rejected for now is sent again, as the form in a browser does. */
async function sender(festival, night, kind) {
  let form = null;
  while (performance.now() < night.end || form) {
    form ??= { ...draw(undefined, kind), key: randomUUID() };
    const status = await timed(kind, async () => {
      const answer = await ledger.send(festival.url, form);
      return { status: answer.status, retryAfter: answer.headers["retry-after"], errors: answer.body.error };
    });
    if (status === 201) form = null;
    else if (performance.now() > night.end + 60_000) return;
    await think(night, 500, 4000);
  }
}

async function editor(festival, night, saved) {
  const browser = new Browser(festival.url);
  await browser.signIn();
  const name = randomUUID();
  await browser.save("/admin/venues/new", { name });
  const { id } = (await (await fetch(`${festival.url}/api/venues/`)).json()).find((venue) => venue.name === name) ?? {};
  while (performance.now() < night.end) {
    const description = randomUUID();
    const status = await timed("edit", async () => {
      const answer = await browser.save(`/admin/venues/${id}`, { description });
      return { status: answer.status, retryAfter: answer.headers.get("retry-after"), errors: answer.text.slice(0, 200) };
    });
    if (status === 303) saved.set(name, description);
    await think(night, 1000, 5000);
  }
}

async function importer(festival, night) {
  const file = join(scratch, "films.csv");
  for (let round = 0; performance.now() < night.end; round++) {
    writeFileSync(file, ["Title,Director,Country,Year,Duration", ...Array.from({ length: FILMS }, (_, at) => `Film ${at},Director ${round},India,2024,90`)].join("\n"));
    await timed("import", async () => {
      const { code, errors } = await festival.attempt("films", "import", file, "--category", "Selection");
      return { status: code === 0 ? 200 : 500, errors };
    });
    await think(night, IMPORT_EVERY * 1000, IMPORT_EVERY * 1000 + 1);
  }
}

async function backup(festival, night) {
  await pause((night.end - performance.now()) / 2);
  const folder = join(scratch, "backups");
  await timed("backup", async () => {
    const { code, errors } = await festival.attempt("backup", folder);
    return { status: code === 0 ? 200 : 500, errors };
  });
}

/** The slope of memory over time, in MB a minute, by least squares. */
function slope(samples) {
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map(({ memory }) => memory))];
  const over = samples.reduce((sum, { minute, memory }) => sum + (minute - x) * (memory - y), 0);
  return over / samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
}

async function watch(festival, night, samples) {
  for (const begin = performance.now(); performance.now() < night.end; await think(night, SAMPLE_EVERY * 1000, SAMPLE_EVERY * 1000 + 1)) {
    samples.push({ minute: (performance.now() - begin) / 60_000, memory: festival.memory().now, descriptors: festival.descriptors() });
  }
}

/** Makes the server open everything that it opens once; returns its number of descriptors. */
async function warmUp(festival, paths) {
  const browser = new Browser(festival.url);
  await browser.signIn();
  const lists = ["film-submissions", "delegates", "audit", "mail", "films", "venues"];
  for (let round = 0; round < 3; round++) {
    await Promise.all([...paths.map((path) => festival.get(path)), ...Array.from({ length: 64 }, (_, at) => browser.request(`/admin/${lists[at % lists.length]}`))]);
    await Promise.all(Array.from({ length: 8 }, () => ledger.send(festival.url, draw())));
  }
  return quiet(festival, 0);
}

/** Waits until idle connections are closed, or at most `most` descriptors are open. */
async function quiet(festival, most) {
  let least = festival.descriptors();
  for (let waited = 0; waited < 80 && least > most; waited++) {
    await pause(1000);
    least = Math.min(least, festival.descriptors());
  }
  return least;
}

process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
await main(async () => {
  const mailServer = await new MailServer().listen();
  const festival = await Festival.make({ settings: mailServer.settings(), isEmpty: true });
  await festival.run("seed", "--demo", "--relative-dates");
  await createOwner(festival);
  await festival.start();
  const sitemap = await (await fetch(`${festival.url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname);
  console.log(`${program}\n${minutes} minutes, ${VISITORS} visitors of ${paths.length} pages, ${FILM_MAKERS} film-makers, ${DELEGATES} delegates, ${EDITORS} editors`);
  const before = await warmUp(festival, paths);
  const night = { end: performance.now() + minutes * 60_000 };
  const [samples, saved] = [[], new Map()];
  const people = [
    ...Array.from({ length: VISITORS }, () => visitor(festival, night, paths)),
    ...Array.from({ length: FILM_MAKERS }, () => sender(festival, night, "film")),
    ...Array.from({ length: DELEGATES }, () => sender(festival, night, "delegate")),
    ...Array.from({ length: EDITORS }, () => editor(festival, night, saved)),
    importer(festival, night), backup(festival, night), watch(festival, night, samples),
  ];
  await Promise.all(people);

  console.log("\n           number   per s      p50 ms      p99 ms  responses");
  for (const [kind, list] of times) {
    list.sort((a, b) => a - b);
    const [half, most] = [0.5, 0.99].map((share) => list[Math.floor(list.length * share)].toFixed(0));
    const cells = [list.length, (list.length / minutes / 60).toFixed(1), half, most];
    console.log(`${kind.padEnd(9)}${cells.map((cell, at) => String(cell).padStart([8, 8, 12, 12][at])).join("")}  ${tally(answers.get(kind))}`);
  }
  const late = samples.filter(({ minute }) => minute > minutes / 3);
  const grows = slope(late);
  const { peak } = festival.memory();
  console.log(`\nmemory: ${samples[0].memory.toFixed(0)} MB after warming up, ${samples.at(-1).memory.toFixed(0)} MB at the end, ${peak.toFixed(0)} MB at most, ${grows.toFixed(2)} MB a minute after the first third`);
  console.log(`descriptors: ${Math.max(...samples.map(({ descriptors }) => descriptors))} at most`);
  check("the only 5xx is 503 with Retry-After", badResponses.size === 0, [...badResponses].slice(0, 5).join("; "));
  check(`memory stays below ${MOST_MEMORY} MB`, peak < MOST_MEMORY, `${peak.toFixed(0)} MB`);
  if (minutes >= LONG) check(`memory grows by less than ${MOST_SLOPE} MB a minute`, grows < MOST_SLOPE, grows.toFixed(2));
  const after = await quiet(festival, before + MORE_DESCRIPTORS);
  check("files and connections are closed again", after <= before + MORE_DESCRIPTORS, `${before} open before, ${after} after`);
  const { wrong, kept, compared } = await ledger.verify(festival);
  check("0 lost: every form is stored once with its files, none incomplete", wrong.length === 0, [...wrong, `${ledger.acknowledged.size} acknowledged, ${kept} kept, ${compared} files compared`].join("; "));
  const venues = new Map((await (await fetch(`${festival.url}/api/venues/`)).json()).map(({ name, description }) => [name, description]));
  const lost = [...saved].filter(([name, description]) => venues.get(name) !== description);
  check("every edit is on the site", lost.length === 0 && saved.size === EDITORS, `${saved.size} venues`);
  const until = performance.now() + 120_000;
  const expectedMails = 2 * ledger.acknowledged.size;
  while (mailServer.mails.length < expectedMails && performance.now() < until) await pause(500);
  const duplicates = repeated(mailServer.mails.map(({ id }) => id));
  check("every mail is sent exactly once", mailServer.mails.length === expectedMails && duplicates.length === 0, `${mailServer.mails.length} mails, ${expectedMails} expected, ${duplicates.length} duplicates`);
  await festival.end();
  await mailServer.close();
});
