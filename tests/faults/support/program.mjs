// The real program on its own data directory: started, killed, queried.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const TICKS_PER_SECOND = 100;

/** The seed file of the edition that forms are sent to. */
export const EDITION = join(import.meta.dirname, "../edition.toml");

/** The program under test: FESTIVAL_TEST_PROGRAM, else the release build, else the development build. */
export const program = [process.env.FESTIVAL_TEST_PROGRAM, join(root, "target/release/festival"), join(root, "target/debug/festival")].find(
  (path) => path && existsSync(path),
);

/** All child processes, to be killed when the script ends. */
const children = new Set();
process.on("exit", () => children.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** A festival: a data directory, and a server on it that is started and stopped. */
export class Festival {
  /** The file that is run. */
  program = program;

  /** `settings`: environment variables; `database`: the address of an empty Postgres database; `isEmpty`: not seeded. */
  static async make({ data, database, settings = {}, isEmpty = false } = {}) {
    if (!program) throw new Error("The program does not exist. Build it first: cargo build -p festival");
    const festival = new Festival();
    festival.data = data ?? (await mkdtemp(join(tmpdir(), "festival-faults-")));
    festival.database = database;
    const outer = Object.entries(process.env).filter(([name]) => !/^(FESTIVAL|ROCKET)_/.test(name));
    festival.environment = {
      ...Object.fromEntries(outer),
      FESTIVAL_DATA_DIR: festival.data,
      // As in config/deploy/festival.service.
      MIMALLOC_PURGE_DELAY: "0",
      FESTIVAL_LOG__FILTER: "error",
      FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES: "100000000",
      // All uploads come from one address.
      FESTIVAL_UPLOADS__MIB_PER_CLIENT_AND_HOUR: "0",
      ROCKET_ADDRESS: "127.0.0.1",
      ROCKET_PORT: "0",
      ROCKET_CONFIG: join(root, "Rocket.toml"),
      ...(database ? { ROCKET_DATABASES: `{festival={url="${database}"}}` } : {}),
      ...settings,
    };
    if (!isEmpty) await festival.run("seed", EDITION);
    return festival;
  }

  /** The same site with other settings, without a server. */
  with(settings) {
    const other = Object.assign(new Festival(), { data: this.data, database: this.database, program: this.program });
    other.environment = { ...this.environment, ...settings };
    return other;
  }

  /** Runs a command to its end; throws if it fails. */
  run(...args) {
    return this.runWithInput("", ...args);
  }

  /** Runs a command with `input` on its standard input; throws if it fails. */
  async runWithInput(input, ...args) {
    const { code, out, errors } = await this.startCommand(...args.map(String), { input }).ended;
    if (code !== 0) throw new Error(`festival ${args[0]}: ${errors}`);
    return out;
  }

  /** Runs a command that may fail: `{code, out, errors}`; the code of a killed one is null. */
  attempt(...args) {
    return this.startCommand(...args).ended;
  }

  /** Starts a command that can be killed: `{child, ended}`. The last argument may be `{input}`. */
  startCommand(...args) {
    const { input = "" } = typeof args.at(-1) === "object" ? args.pop() : {};
    const child = spawn(this.program, args, { cwd: tmpdir(), env: this.environment });
    children.add(child);
    const [out, errors] = [[], []];
    child.stdout.on("data", (part) => out.push(part));
    child.stderr.on("data", (part) => errors.push(part));
    child.stdin.on("error", () => {}).end(input);
    const ended = new Promise((done, fail) => {
      child.once("error", fail).once("close", (code) => {
        children.delete(child);
        done({ code, out: Buffer.concat(out).toString(), errors: Buffer.concat(errors).toString() });
      });
    });
    return { child, ended };
  }

  /** Starts the server; returns the seconds until its first response. */
  async start() {
    const begin = performance.now();
    this.errors = "";
    this.child = spawn(this.program, ["serve"], { cwd: tmpdir(), env: this.environment, stdio: ["ignore", "ignore", "pipe"] });
    const child = this.child;
    children.add(child);
    this.ended = new Promise((done) => child.once("exit", done)).then(() => children.delete(child));
    this.url = await new Promise((done, fail) => {
      child.stderr.setEncoding("utf8").on("data", (chunk) => {
        this.errors = (this.errors + chunk).slice(-20_000);
        const found = /The site is at (http:\/\/\S+)\n/.exec(this.errors);
        if (found) done(found[1]);
      });
      child.once("error", fail);
      child.once("exit", (code) => fail(new Error(`the server ended with ${code}: ${this.errors}`)));
      setTimeout(() => fail(new Error(`the server did not start within 60 s: ${this.errors}`)), 60_000).unref();
    });
    if ((await this.get("/api/site/")) !== 200) throw new Error("the site does not respond");
    return (performance.now() - begin) / 1000;
  }

  /** The status of a GET; 0 without a response. */
  async get(path) {
    try {
      const answer = await fetch(this.url + path, { signal: AbortSignal.timeout(10_000) });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }

  async kill(signal = "SIGKILL") {
    this.child?.kill(signal);
    await this.ended;
  }

  /** The server's current and peak memory, in MB. */
  memory() {
    const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
    const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024;
    return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
  }

  /** The number of the server's open files and connections. */
  descriptors() {
    return readdirSync(`/proc/${this.child.pid}/fd`).length;
  }

  /** The server's CPU seconds. */
  cpuSeconds() {
    return cpuSeconds(this.child.pid);
  }

  /** Paths and sizes of all files in the private store: `kept` ones in `folders`, and `staged` ones. */
  async files(...folders) {
    const found = { kept: [], staged: [] };
    const kept = (folders.length ? folders : ["private"]).map((folder) => [folder, found.kept]);
    for (const [folder, list] of [...kept, ["staging", found.staged]]) {
      const top = join(this.data, "media", folder);
      for (const name of await readdir(top, { recursive: true }).catch(() => [])) {
        const path = join(top, name);
        const about = await stat(path).catch(() => null);
        if (about?.isFile()) list.push({ path, size: about.size });
      }
    }
    return found;
  }

  /** The program's own export of one kind of submissions (`film`, `delegate`). */
  async submissions(kind, ...options) {
    return JSON.parse(await this.run("forms", "export", kind, "-o", "-", "--format", "json", "--quarantined", ...options));
  }

  async end() {
    await this.kill("SIGTERM");
    await rm(this.data, { recursive: true, force: true });
  }
}

/** The CPU seconds of a process, or of those of its children that have "ended". */
export function cpuSeconds(pid, whose = "own") {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const at = whose === "ended" ? 13 : 11;
  return (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND;
}
