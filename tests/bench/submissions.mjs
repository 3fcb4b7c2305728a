// Submissions per second with everything on disk before the response, compared with a Django REST view of the same work,
// and messages per second: `make bench` runs it; alone: node tests/bench/submissions.mjs [--only messages].
// The Django site needs python3 with venv; its packages, with their versions, are in django/requirements.txt.
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pdf, picture, sideFor } from "../faults/support/files.mjs";
import { FILE_FIELDS, TAKES_PDF, send, texts } from "../faults/support/forms.mjs";
import { Festival, cpuSeconds, pause } from "../faults/support/program.mjs";

const SECONDS = 10;
const CONNECTIONS = 8;
const MEGABYTE = 1_000_000;
/** The target of messages per second, and the number of senders. */
const [MESSAGES, MESSAGE_CONNECTIONS] = [100, 16];
const root = resolve(import.meta.dirname, "../..");
const yardstick = join(import.meta.dirname, "django");
const environment = join(root, "target/bench-django");

/** Sends from all connections until the time is over; measures submissions and the server's CPU seconds. */
async function load(name, url, cpu) {
  const files = Object.fromEntries(FILE_FIELDS.film.map((field) => [field, { name: field, bytes: TAKES_PDF.has(field) ? pdf(MEGABYTE) : picture(sideFor(MEGABYTE)) }]));
  const warm = await send(url, "film", { values: texts("film"), files });
  if (warm.status !== 201) throw new Error(`${name}: ${warm.status} ${JSON.stringify(warm.body)}`);
  const [begin, before] = [performance.now(), cpu()];
  const times = [];
  const connection = async () => {
    while (performance.now() - begin < SECONDS * 1000) {
      const answer = await send(url, "film", { values: texts("film"), files });
      if (answer.status !== 201) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
      times.push(answer.seconds);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const [seconds, used] = [(performance.now() - begin) / 1000, cpu() - before];
  times.sort((a, b) => a - b);
  const result = { perSecond: times.length / seconds, perCpuSecond: times.length / used };
  const median = times[times.length >> 1] * 1000;
  console.log(`${name.padEnd(46)} ${result.perSecond.toFixed(1).padStart(9)} ${result.perCpuSecond.toFixed(1).padStart(13)} ${median.toFixed(0).padStart(9)} ms`);
  return result;
}

async function measureFestival() {
  const festival = await Festival.make();
  await festival.start();
  try {
    return await load("festival", festival.url, () => festival.cpuSeconds());
  } finally {
    await festival.end();
  }
}

/** Prints the messages per second to the organisers, each on disk before the response, and the target. */
async function messages() {
  const festival = await Festival.make();
  await festival.start();
  try {
    const times = [];
    const begin = performance.now();
    const connection = async () => {
      while (performance.now() - begin < SECONDS * 1000) {
        const message = { name: "Sender", email: "sender@example.org", contact: "+91 484 000 0000", message: randomUUID() };
        const asked = performance.now();
        const answer = await fetch(`${festival.url}/api/contact/`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message) });
        if (answer.status !== 200) throw new Error(`a message: ${answer.status} ${await answer.text()}`);
        await answer.arrayBuffer();
        times.push(performance.now() - asked);
      }
    };
    await Promise.all(Array.from({ length: MESSAGE_CONNECTIONS }, connection));
    const perSecond = times.length / ((performance.now() - begin) / 1000);
    times.sort((a, b) => a - b);
    const [half, most] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)].toFixed(0));
    console.log(`\nmessages: ${perSecond.toFixed(0)} per s on SQLite (target: ${MESSAGES}), each on disk before the response; half within ${half} ms, 99 of 100 within ${most} ms; ${MESSAGE_CONNECTIONS} connections`);
  } finally {
    await festival.end();
  }
}

/** The Python of a virtual environment, created the first time. */
function python() {
  const path = join(environment, "bin/python");
  if (!existsSync(join(environment, "ready"))) {
    console.log("installing Django and its dependencies once, into target/bench-django");
    execFileSync("python3", ["-m", "venv", environment]);
    execFileSync(path, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", join(yardstick, "requirements.txt")], { stdio: "inherit" });
    mkdirSync(join(environment, "ready"));
  }
  return path;
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function measureDjango() {
  const command = python();
  const data = mkdtempSync(join(tmpdir(), "festival-yardstick-"));
  const options = { cwd: yardstick, env: { ...process.env, YARDSTICK_DATA: data, PYTHONDONTWRITEBYTECODE: "1" } };
  execFileSync(command, ["prepare.py"], options);
  const port = await freePort();
  const args = ["-m", "gunicorn", "wsgi", "--bind", `127.0.0.1:${port}`, "--workers", "2", "--threads", "4", "--log-level", "error"];
  const master = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  try {
    for (let attempt = 0; attempt < 300; attempt++) {
      if (await fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false)) break;
      await pause(100);
    }
    const workers = readFileSync(`/proc/${master.pid}/task/${master.pid}/children`, "utf8").trim().split(" ").map(Number);
    const cpu = () => workers.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
    return await load("Django REST, gunicorn, 2 workers of 4 threads", `http://127.0.0.1:${port}`, cpu);
  } finally {
    master.kill("SIGTERM");
    await new Promise((done) => master.once("exit", done));
    rmSync(data, { recursive: true, force: true });
  }
}

/** Prints both results and the ratio. */
export async function submissions() {
  console.log(`\nfilm submissions: six files of 1 MB, row and mails, on disk before the response; ${CONNECTIONS} connections, ${SECONDS} s`);
  console.log(`${"".padEnd(46)} ${"per s".padStart(9)} ${"per CPU-second".padStart(13)} ${"median".padStart(10)}`);
  const [own, other] = [await measureFestival(), await measureDjango()];
  console.log(`ratio per CPU-second: ${(own.perCpuSecond / other.perCpuSecond).toFixed(1)}`);
  await messages();
}

if (process.argv[1] === import.meta.filename) await (process.argv.includes("messages") ? messages() : submissions());
