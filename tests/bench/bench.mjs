// `make bench`: speed and memory of the release build on this machine, compared with nginx.
// Needs wrk, nginx and Chromium (Debian: apt-get install wrk nginx-light chromium). Everything stays on 127.0.0.1.
// Only the ratios within one run can be compared with those of other machines or runs. `--cached`: cached responses only.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { films } from "./films.mjs";
import { lists } from "./lists.mjs";
import { payments } from "./payments.mjs";
import { programme } from "./programme.mjs";
import { submissions } from "./submissions.mjs";

const SECONDS = 6;
const CONNECTIONS = 32;
/** What a cached response must reach of nginx's requests per CPU-second, with the log at "info". */
const TARGET = 0.8;
const ROWS = 20_000;
const FILMS = 2_000;
const TICKS_PER_SECOND = 100;

const root = resolve(import.meta.dirname, "../..");
const program = process.env.FESTIVAL_TEST_PROGRAM ?? join(root, "target/release/festival");
const scratch = mkdtempSync(join(tmpdir(), "festival-bench-"));
const started = [];

function requireProgram(name, debianPackage) {
  try {
    return execFileSync("which", [name], { encoding: "utf8" }).trim();
  } catch {
    console.error(`The benchmark needs ${name}. Install it, on Debian: apt-get install ${debianPackage}`);
    process.exit(1);
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts a program that is stopped with the benchmark; its messages go to a file. */
function start(command, args, env = {}) {
  const child = spawn(command, args, { cwd: scratch, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", openSync(join(scratch, "log"), "a")] });
  started.push(child);
  return child;
}

async function answers(url) {
  for (let attempt = 0; attempt < 4000; attempt++) {
    try {
      const response = await fetch(url);
      if (response.ok) return await response.arrayBuffer();
    } catch {
      // Not started yet.
    }
    await new Promise((done) => setTimeout(done, 2));
  }
  throw new Error(`no response from ${url}`);
}

/** The CPU seconds of a process and its children. */
function cpuSeconds(pids) {
  let ticks = 0;
  for (const pid of pids) {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** Requests per second, requests per CPU-second of the server, and the median and 99th percentile of their duration. */
function load(name, url, pids, headers = []) {
  const before = cpuSeconds(pids);
  const args = ["-t1", "--latency", `-c${CONNECTIONS}`, `-d${SECONDS}s`, ...headers.flatMap((header) => ["-H", header]), url];
  const out = execFileSync("wrk", args, { encoding: "utf8" });
  const used = cpuSeconds(pids) - before;
  const requests = Number(/(\d+) requests in/.exec(out)[1]);
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(out);
  if (failed) throw new Error(`${name}: ${failed[1]} requests failed`);
  const result = { perSecond: requests / SECONDS, perCpuSecond: requests / used };
  const within = (share) => new RegExp(`${share}%\\s+(\\S+)`).exec(out)[1].padStart(9);
  const figures = [result.perSecond.toFixed(0).padStart(9), result.perCpuSecond.toFixed(0).padStart(13), within(50), within(99)];
  console.log(`${name.padEnd(46)} ${figures.join(" ")}`);
  return result;
}

/** Runs a command to its end; returns seconds and peak memory in MB. */
async function measure(args, env) {
  const begin = performance.now();
  const child = spawn(program, args, { cwd: scratch, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => { errors += chunk; });
  let peak = 0;
  const watch = setInterval(() => {
    try {
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]));
    } catch {
      // The process has ended.
    }
  }, 5);
  const code = await new Promise((done) => child.on("close", done));
  clearInterval(watch);
  if (code !== 0) throw new Error(`festival ${args.join(" ")} ended with ${code}: ${errors}`);
  return { seconds: (performance.now() - begin) / 1000, megabytes: peak / 1024 };
}

/** A list of films in this number of sections. */
function filmList(rows, sections) {
  const lines = ["Title,Original Title,Director(s),Country,Year,Duration,Language,Section,Synopsis,Cast"];
  for (let i = 0; i < rows; i++) {
    const synopsis = "A ferryman carries the last reel of a lost film across the backwaters, and everyone on board remembers another ending. ".repeat(3);
    lines.push(`Film ${i},ചിത്രം ${i},Director ${i % 997},India,${1950 + (i % 76)},1h ${i % 60}m,Malayalam,Section ${i % sections},"${synopsis}","Actor ${i}, Actor ${i + 1}"`);
  }
  return lines.join("\r\n");
}

async function main() {
  requireProgram("wrk", "wrk");
  const nginx = requireProgram("nginx", "nginx-light");
  const data = join(scratch, "data");
  const env = { FESTIVAL_DATA_DIR: data };
  console.log(`${cpus().length} cores, ${cpus()[0].model}; ${SECONDS} s and ${CONNECTIONS} connections a line\n`);

  execFileSync(program, ["seed", "--demo"], { cwd: scratch, env: { ...process.env, ...env } });
  const port = await freePort();
  const serverEnv = { ...env, ROCKET_PORT: String(port), FESTIVAL_CONNECTIONS__AT_ONCE_PER_CLIENT: String(2 * CONNECTIONS) };
  const begin = performance.now();
  let server = start(program, ["serve"], serverEnv);
  await answers(`http://127.0.0.1:${port}/api/site/`);
  console.log(`start to first response: ${(performance.now() - begin).toFixed(0)} ms`);

  const list = join(scratch, "list.csv");
  writeFileSync(list, filmList(60, 1));
  execFileSync(program, ["films", "import", list], { cwd: scratch, env: { ...process.env, ...env }, stdio: "ignore" });
  execFileSync(program, ["programme", "release", "--first", "--note", "The programme"], { cwd: scratch, env: { ...process.env, ...env }, stdio: "ignore" });
  await new Promise((done) => setTimeout(done, 1500));

  const base = `http://127.0.0.1:${port}`;
  const categories = JSON.parse(Buffer.from(await answers(`${base}/api/categories/`)).toString());
  const largest = categories.sort((a, b) => b.film_count - a.film_count)[0];
  const path = `/api/categories/${largest.id}/films/`;
  const pages = [["films of a category", path], ["home page", "/"], ["programme", "/programme"]];

  const www = join(scratch, "www");
  mkdirSync(www);
  for (const [number, [, address]] of pages.entries()) {
    const body = Buffer.from(await answers(base + address));
    writeFileSync(join(www, `${number}.json`), body);
    writeFileSync(join(www, `${number}.json.gz`), gzipSync(body, { level: 6 }));
  }
  const nginxPort = await freePort();
  writeFileSync(join(scratch, "nginx.conf"), `
    daemon off; worker_processes 2; pid ${scratch}/nginx.pid; error_log ${scratch}/nginx.log;
    ${process.getuid() === 0 ? "user root;" : ""}
    events { worker_connections 1024; }
    http { access_log off; gzip_static on; sendfile on; default_type application/json; keepalive_requests 1000000000;
      client_body_temp_path ${scratch}; proxy_temp_path ${scratch}; fastcgi_temp_path ${scratch}; uwsgi_temp_path ${scratch}; scgi_temp_path ${scratch};
      server { listen 127.0.0.1:${nginxPort}; root ${www}; } }`);
  const master = start(nginx, ["-p", scratch, "-c", join(scratch, "nginx.conf")]);
  const files = `http://127.0.0.1:${nginxPort}`;
  await answers(`${files}/0.json`);
  const workers = childrenOf(master.pid);

  console.log(`\ncached responses, log at "info"${" ".repeat(17)}requests/s  per CPU-second       p50       p99`);
  const ratios = [];
  for (const [number, [name, address]] of pages.entries()) {
    for (const [encoding, headers] of [["plain", []], ["gzip", ["Accept-Encoding: gzip"]], ["304", undefined]]) {
      const etag = async (url) => (await fetch(url, { headers: { "Accept-Encoding": "identity" } })).headers.get("etag");
      const [theirs, ours] = [`${files}/${number}.json`, base + address];
      const peer = load(`nginx, ${name}, ${encoding}`, theirs, workers, headers ?? [`If-None-Match: ${await etag(theirs)}`]);
      const own = load(`festival, ${name}, ${encoding}`, ours, [server.pid], headers ?? [`If-None-Match: ${await etag(ours)}`]);
      ratios.push(`${name}, ${encoding}: ${(own.perCpuSecond / peer.perCpuSecond).toFixed(2)}`);
    }
  }
  load("festival, health check (forwarded)", `${base}/healthz`, [server.pid]);
  console.log(`\nratio to nginx per CPU-second (target: ${TARGET} each)\n  ${ratios.join("\n  ")}`);

  server.kill("SIGTERM");
  await new Promise((done) => server.on("close", done));
  server = start(program, ["serve"], { ...serverEnv, FESTIVAL_API__REMEMBER_ANSWERS: "false" });
  await answers(base + path);
  load("festival, from the database each time", base + path, [server.pid]);
  server.kill("SIGTERM");
  await new Promise((done) => server.on("close", done));
  if (process.argv.includes("--cached")) return;

  writeFileSync(list, filmList(ROWS, 20));
  const first = await measure(["films", "import", list, "--on-conflict", "update"], env);
  const again = await measure(["films", "import", list, "--on-conflict", "update"], env);
  console.log(`\nimport of ${ROWS} rows: ${first.seconds.toFixed(1)} s, peak ${first.megabytes.toFixed(0)} MB ` +
    `(targets: 5 s, 150 MB); the same again, nothing changed: ${again.seconds.toFixed(1)} s, peak ${again.megabytes.toFixed(0)} MB`);
  await films(program, FILMS);
  await submissions();
  await lists();
  await payments();
  await programme(program);
}

try {
  await main();
} finally {
  for (const child of started) child.kill("SIGTERM");
  await new Promise((done) => setTimeout(done, 300));
  rmSync(scratch, { recursive: true, force: true });
}
