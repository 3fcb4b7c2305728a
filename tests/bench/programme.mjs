// How long the programme takes with 216 films and 320 screenings in 8 halls: the plan of a day, which checks every rule, the
// differences before a release, and the public API after one. `make bench` runs it; alone: node tests/bench/programme.mjs [program].
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { Browser, OWNER, PASSWORD, fieldsOf } from "../faults/support/browser.mjs";

const ROUNDS = 9;
const TARGET = 50;
const VISITORS = 500;
const RELEASES = 10;
const POSTS_PER_SECOND = 20;
/** The target of the slowest but one in a hundred pages of visitors, in milliseconds. */
const VISITOR_TARGET = 50;
const TIMES = ["09:30", "12:15", "15:00", "17:45", "20:30"];
const root = resolve(import.meta.dirname, "../..");

const edition = `[edition]
year = 2031
ordinal = 1
name = "Measured"
starts_on = 2031-12-12
ends_on = 2031-12-19
`;

function films() {
  const lines = ["Title,Director,Country,Year,Duration,Language,Section,Synopsis"];
  for (let i = 0; i < 216; i++) {
    lines.push(`Film ${i},Director ${i % 97},India,${1950 + (i % 76)},${80 + (i % 40)},Malayalam,Section ${i % 20},${"A ferryman carries the last reel of a lost film. ".repeat(6)}`);
  }
  return lines.join("\n");
}

function screenings() {
  const lines = ["Code,Film,Venue,Date,Time,Guests"];
  for (let i = 0; i < 320; i++) {
    const [hall, slot, day] = [i % 8, (i >> 3) % 5, Math.floor(i / 40)];
    lines.push(`S${i},Film ${i % 216},Hall ${hall},2031-12-${12 + day},${TIMES[slot]},${i % 4 ? "" : `Guest ${i % 31}`}`);
  }
  return lines.join("\n");
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** The response to a GET, not unpacked: `{status, headers, bytes}`. */
function get(url, options) {
  return new Promise((done, fail) => {
    request(url, options, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part)).on("error", fail);
      answer.on("end", () => done({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(parts) }));
    }).on("error", fail).end();
  });
}

/** The median and slowest time of `action`, in milliseconds. */
async function time(action) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    await action();
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  return `${times[ROUNDS >> 1].toFixed(1)} ms (slowest of ${ROUNDS}: ${times[ROUNDS - 1].toFixed(1)} ms)`;
}

/** Sends messages to the organisers at this rate until `isOver`; returns how many were accepted. */
async function postMessages(base, isOver) {
  const posts = [];
  while (!isOver()) {
    const message = { name: "Sender", email: "sender@example.org", contact: "+91 484 000 0000", message: randomUUID() };
    posts.push(fetch(`${base}/api/contact/`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message) }));
    await new Promise((done) => setTimeout(done, 1000 / POSTS_PER_SECOND));
  }
  const answers = await Promise.all(posts);
  const refused = answers.find((answer) => answer.status !== 200);
  if (refused) throw new Error(`a message: ${refused.status} ${await refused.text()}`);
  return answers.length;
}

/**
 * Visitors who renew /programme about once a second while messages arrive and the programme is released again and
 * again.
 */
async function visitorsDuringReleases(base, browser) {
  const times = [];
  /** The response of each tag, as it was sent: unpacking thousands of them here would be what is measured. */
  const pages = new Map();
  let isOver = false;
  const agent = new Agent({ keepAlive: true });
  const visit = async (visitor) => {
    await new Promise((done) => setTimeout(done, visitor * 2));
    for (let tag = ""; !isOver; ) {
      const begin = performance.now();
      const answer = await get(`${base}/programme`, { agent, headers: { "Accept-Encoding": "gzip", "If-None-Match": tag } });
      times.push(performance.now() - begin);
      if (answer.status === 200) {
        tag = answer.headers.etag;
        const known = pages.get(tag) ?? answer.bytes;
        if (!known.equals(answer.bytes)) throw new Error(`two pages have the tag ${tag}`);
        pages.set(tag, known);
      } else if (answer.status !== 304) throw new Error(`/programme: ${answer.status}`);
      await new Promise((done) => setTimeout(done, 500 + Math.random() * 1000));
    }
  };
  const visits = Array.from({ length: VISITORS }, (_, visitor) => visit(visitor));
  const messages = postMessages(base, () => isOver);
  for (let release = 0; release < RELEASES; release++) {
    await new Promise((done) => setTimeout(done, 1000));
    const plan = "/admin/programme?day=2031-12-12";
    const move = "/admin/programme/move";
    const fields = fieldsOf((await browser.request(plan)).text, move);
    const hall = fields.get("was_hall");
    fields.set("hall", hall).set("day", "2031-12-12").set("minutes", String(60 + release));
    const moved = await browser.request(move, fields);
    if (moved.status !== 303) throw new Error(`move: ${moved.status}`);
    const page = "/admin/programme/release";
    const signed = fieldsOf((await browser.request(page)).text, page).set("sign", "yes");
    const released = await browser.request(page, signed);
    if (released.status !== 303) throw new Error(`release: ${released.status}`);
  }
  isOver = true;
  await Promise.all(visits);
  const posted = await messages;
  agent.destroy();
  const versions = [...pages.values()].map((bytes) => /"version":(\d+),/.exec(gunzipSync(bytes).toString())?.[1]);
  const mixed = versions.length - new Set(versions).size;
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)].toFixed(1);
  return `${VISITORS} visitors during ${RELEASES} releases and ${posted} messages: ${times.length} requests, ${versions.length} versions seen, ${mixed} of them mixed; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (target ${VISITOR_TARGET} ms), slowest ${times.at(-1).toFixed(1)} ms`;
}

export async function programme(program = join(root, "target/release/festival")) {
  const scratch = mkdtempSync(join(tmpdir(), "festival-programme-"));
  const env = { ...process.env, FESTIVAL_DATA_DIR: join(scratch, "data"), FESTIVAL_LOG__FILTER: "warn", FESTIVAL_CONNECTIONS__AT_ONCE_PER_CLIENT: String(2 * VISITORS), FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES: "1000000" };
  const run = (args, input) => execFileSync(program, args, { cwd: scratch, env, input, stdio: ["pipe", "ignore", "ignore"] });
  const port = await freePort();
  let server;
  try {
    writeFileSync(join(scratch, "edition.toml"), edition);
    writeFileSync(join(scratch, "films.csv"), films());
    writeFileSync(join(scratch, "screenings.csv"), screenings());
    run(["seed", "edition.toml"]);
    run(["admin", "create", OWNER, "--name", "Owner", "--role", "owner", "--password-stdin"], `${PASSWORD}\n`);
    run(["films", "import", "films.csv"]);
    run(["programme", "import", "screenings.csv"]);
    server = spawn(program, ["serve"], { cwd: scratch, env: { ...env, ROCKET_PORT: String(port), ROCKET_ADDRESS: "127.0.0.1" }, stdio: ["ignore", "ignore", "inherit"] });
    const base = `http://127.0.0.1:${port}`;
    for (let attempt = 0; ; attempt++) {
      if (await fetch(`${base}/healthz`).then((answer) => answer.ok, () => false)) break;
      if (attempt > 2000) throw new Error("the server does not respond");
      await new Promise((done) => setTimeout(done, 10));
    }
    const browser = new Browser(base);
    if ((await browser.signIn()) !== 303) throw new Error("sign-in failed");
    const page = (path) => async () => {
      const answer = await browser.request(path);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    };
    console.log("\nThe programme: 216 films, 320 screenings, 8 halls");
    console.log(`plan of a day, all rules: ${await time(page("/admin/programme?day=2031-12-14"))}; target ${TARGET} ms`);
    console.log(`differences before a release: ${await time(page("/admin/programme/release"))}`);
    run(["programme", "release", "--sign"]);
    const fetchProgramme = () => fetch(`${base}/api/programme/`, { headers: { "Accept-Encoding": "br" } });
    const first = await fetchProgramme();
    const bytes = Buffer.from(await first.arrayBuffer());
    if (JSON.parse(bytes.toString()).screenings.length !== 320) throw new Error("a screening is missing");
    console.log(`GET /api/programme/: ${bytes.length} bytes, ${await time(async () => (await fetchProgramme()).arrayBuffer())}`);
    console.log(await visitorsDuringReleases(base, browser));
  } finally {
    server?.kill("SIGTERM");
    await new Promise((done) => setTimeout(done, 300));
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await programme(process.argv[2] && resolve(process.argv[2]));
