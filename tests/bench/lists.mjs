// How long imports and exports of lists take (imports.mjs), then how long the back office takes for a page of each list,
// with 100,000 films and 100,000 submissions of each form:
// `make bench` runs it; alone: node tests/bench/lists.mjs [program]. On SQLite, and on Postgres where
// FESTIVAL_TEST_POSTGRES names an empty database (tests/support/with-postgres.sh).
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Browser, OWNER, PASSWORD } from "../faults/support/browser.mjs";
import { pdf, picture } from "../faults/support/files.mjs";
import { FILE_FIELDS, TAKES_PDF, send, texts } from "../faults/support/forms.mjs";
import { filmList, imports } from "./imports.mjs";

const SUBMISSIONS = 100_000;
const ROUNDS = 5;
/** The time limit for a page, in milliseconds. */
const LIMIT = 100;
const root = resolve(import.meta.dirname, "../..");

/** One row of each form is sent as a form; the database copies it, with these columns changed. */
const COPIES = {
  contact_messages: { name: "'Sender ' || n.i", email: "'sender' || n.i || '@example.org'", message: "'Message ' || n.i" },
  delegates: { name: "'Delegate ' || n.i", email: "'delegate' || n.i || '@example.org'", transaction_details: "'T' || n.i" },
  film_submissions: { title_english: "'Film ' || n.i", director_name: "'Director ' || (n.i % 997)" },
};

/** Sends one of each form. */
async function sendOne(base) {
  const message = { name: "Sender", email: "sender@example.org", contact: "+91 484 000 0000", message: "A message" };
  const headers = { "Content-Type": "application/json" };
  const sent = await fetch(`${base}/api/contact/`, { method: "POST", headers, body: JSON.stringify(message) });
  if (!sent.ok) throw new Error(`the contact form got ${sent.status}`);
  for (const kind of ["delegate", "film"]) {
    const of = (field) => ({ name: field, bytes: TAKES_PDF.has(field) ? pdf(10_000) : picture(40) });
    const files = Object.fromEntries(FILE_FIELDS[kind].map((field) => [field, of(field)]));
    const { status, body } = await send(base, kind, { values: texts(kind), files });
    if (status !== 201) throw new Error(`the ${kind} form got ${status}: ${JSON.stringify(body)}`);
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** The median and slowest time of a page, in milliseconds. */
async function measurePage(browser, path) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    const answer = await browser.request(path);
    times.push(performance.now() - begin);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  }
  times.sort((a, b) => a - b);
  return { median: times[ROUNDS >> 1], slowest: times[ROUNDS - 1] };
}

const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

async function measure(name, program, environment) {
  const scratch = mkdtempSync(join(tmpdir(), "festival-lists-"));
  const env = { ...process.env, FESTIVAL_DATA_DIR: join(scratch, "data"), FESTIVAL_LOG__FILTER: "warn", ...environment };
  const run = (args, input) => execFileSync(program, args, { cwd: scratch, env, input, stdio: ["pipe", "ignore", "ignore"] });
  const port = await freePort();
  let server;
  try {
    run(["seed", "--demo"]);
    run(["admin", "create", OWNER, "--name", "Owner", "--role", "owner", "--password-stdin"], `${PASSWORD}\n`);
    writeFileSync(join(scratch, "films.csv"), filmList());
    run(["films", "import", "films.csv"]);
    console.log(`\n${name}`);
    server = spawn(program, ["serve"], { cwd: scratch, env: { ...env, ROCKET_PORT: String(port), ROCKET_ADDRESS: "127.0.0.1" }, stdio: ["ignore", "ignore", "inherit"] });
    const base = `http://127.0.0.1:${port}`;
    for (let attempt = 0; ; attempt++) {
      if (await fetch(`${base}/healthz`).then((answer) => answer.ok, () => false)) break;
      if (attempt > 2000) throw new Error("the server does not respond");
      await new Promise((done) => setTimeout(done, 10));
    }
    await sendOne(base);
    multiply(scratch, environment);
    const browser = new Browser(base);
    if ((await browser.signIn()) !== 303) throw new Error("sign-in failed");
    const home = await browser.request("/admin/");
    const lists = [...new Set([...home.text.matchAll(/href="(\/admin\/[a-z/-]+)"/g)].map(([, href]) => href))];
    const before = resident(server.pid);
    console.log(`${"milliseconds: median (slowest of five)".padEnd(42)}${["first page", "search", "three words", "other script", "filter", "last page"].map((word) => word.padStart(16)).join("")}`);
    let slowest = 0;
    for (const list of lists) {
      const first = await browser.request(list);
      if (!first.text.includes('name="q"')) continue;
      const total = Number(/to \d+ of (\d+)</.exec(first.text)?.[1] ?? 0);
      const filters = [...first.text.matchAll(/<select name="([a-z_]+)">(.*?)<\/select>/gs)].filter(([, field]) => field !== "edition" && field !== "action");
      const choice = filters.map(([, field, choices]) => [field, /<option value="([^"]+)"/.exec(choices)?.[1]]).find(([, value]) => value);
      const pages = Math.max(1, Math.ceil(total / 50));
      const search = (words) => `${list}?q=${encodeURIComponent(total > 1000 ? words : "a")}`;
      const paths = [list, search("9999"), search("film director 9999"), search("ചിത്രം 9999"), choice && `${list}?${choice[0]}=${choice[1]}`, `${list}?p=${pages}`];
      const cells = [];
      for (const path of paths) {
        const time = path ? await measurePage(browser, path) : null;
        slowest = Math.max(slowest, time?.median ?? 0);
        cells.push((time ? `${time.median.toFixed(0)} (${time.slowest.toFixed(0)})` : "").padStart(16));
      }
      console.log(`${list.padEnd(30)}${String(total).padStart(12)}${cells.join("")}`);
    }
    const after = resident(server.pid);
    console.log(`slowest median: ${slowest.toFixed(0)} ms (target: ${LIMIT} ms); memory ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`);
  } finally {
    server?.kill("SIGTERM");
    await new Promise((done) => setTimeout(done, 300));
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Copies the one row that was sent. */
function multiply(scratch, environment) {
  const statements = Object.entries(COPIES).map(([table, changed]) => ({ table, changed }));
  const script = `
import json, os, sqlite3, subprocess, sys
statements = json.load(sys.stdin)
url = os.environ.get("LISTS_POSTGRES")
if not url:
    db = sqlite3.connect(os.path.join(os.environ["LISTS_DATA"], "festival.db"), timeout=30)
def columns(table):
    if not url:
        return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    out = subprocess.run([os.environ["LISTS_PSQL"], url, "-Atc", f"SELECT column_name FROM information_schema.columns WHERE is_generated = 'NEVER' AND table_name = '{table}'"], check=True, capture_output=True, text=True)
    return out.stdout.split()
for one in statements:
    changed = dict(one["changed"], reference="t.reference || '-' || n.i", fingerprint="t.fingerprint || n.i", subject_hash="t.subject_hash || n.i",
                   payment_receipt="CASE WHEN t.payment_receipt = '' THEN '' ELSE t.payment_receipt || '-' || n.i END")
    names = [name for name in columns(one["table"]) if name != "id"]
    values = ", ".join(changed.get(name, "t." + name) for name in names)
    sql = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SUBMISSIONS}) INSERT INTO {one['table']} ({', '.join(names)}) SELECT {values} FROM n, {one['table']} t"
    if url:
        subprocess.run([os.environ["LISTS_PSQL"], url, "-qc", sql], check=True)
    else:
        db.execute(sql)
        db.commit()
`;
  const url = process.env.FESTIVAL_TEST_POSTGRES;
  const places = environment.ROCKET_DATABASES
    ? { LISTS_POSTGRES: url, LISTS_PSQL: execFileSync("bash", ["-c", "ls /usr/lib/postgresql/*/bin/psql 2>/dev/null | head -1 || command -v psql"], { encoding: "utf8" }).trim() }
    : { LISTS_DATA: join(scratch, "data") };
  execFileSync("python3", ["-c", script], { input: JSON.stringify(statements), env: { ...process.env, ...places }, stdio: ["pipe", "inherit", "inherit"] });
}

export async function lists(program = join(root, "target/release/festival")) {
  await imports();
  await measure("SQLite", program, {});
  const url = process.env.FESTIVAL_TEST_POSTGRES;
  if (url) await measure("Postgres", program, { ROCKET_DATABASES: `{festival={url="${url}"}}` });
  else console.log("\nPostgres was not measured: tests/support/with-postgres.sh starts one.");
}

if (process.argv[1] === import.meta.filename) await lists(process.argv[2] && resolve(process.argv[2]));
