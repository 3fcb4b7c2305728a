// A site on two instances: Postgres, an S3 server, nginx with the shipped file, and a mail server.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, nginx, root } from "../../deploy/support/proxy.mjs";
import { MailServer } from "./mail-server.mjs";
import { emptyDatabase } from "./postgres.mjs";
import { Festival, pause } from "./program.mjs";

execFileSync(join(root, "tests/support/proxies.sh"), { stdio: "inherit" });

const ACCESS_KEY = "festival";
const SECRET_KEY = "a-secret-key-for-tests";
const BUCKET = "site";

/** Longer than the time for which nginx skips a failed instance (`fail_timeout`), in ms. */
export const LEFT_OUT = 1500;

/** The S3 server of the tests, on a folder and a port of its own. */
export class Store {
  static async make() {
    const store = new Store();
    store.folder = mkdtempSync(join(tmpdir(), "festival-store-"));
    mkdirSync(join(store.folder, BUCKET));
    store.port = await freePort();
    process.on("exit", () => store.child?.kill("SIGKILL"));
    await store.start();
    return store;
  }

  start() {
    const program = join(root, "target/s3-server/debug/s3-server");
    this.child = spawn(program, [this.folder, `127.0.0.1:${this.port}`, ACCESS_KEY, SECRET_KEY], { stdio: ["pipe", "pipe", "inherit"] });
    return new Promise((done, fail) => this.child.once("error", fail).once("exit", () => fail(new Error("the S3 server ended"))).stdout.once("data", done));
  }

  kill(signal = "SIGKILL") {
    const ended = new Promise((done) => this.child.removeAllListeners("exit").once("exit", done));
    this.child.kill(signal);
    return ended;
  }

  /** Settings of a site with its files on this server; `endpoint` is another address of it. */
  settings(endpoint = `http://127.0.0.1:${this.port}`) {
    return { FESTIVAL_S3__BUCKET: BUCKET, FESTIVAL_S3__ENDPOINT: endpoint, FESTIVAL_S3__ACCESS_KEY: ACCESS_KEY, FESTIVAL_S3__SECRET_KEY: SECRET_KEY };
  }

  async end() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The sizes of all objects of submissions, sorted. */
  sizes() {
    const top = join(this.folder, BUCKET, "private");
    const paths = readdirSync(top, { recursive: true }).map((name) => statSync(join(top, name)));
    return paths.filter((about) => about.isFile()).map(({ size }) => size).sort((a, b) => a - b);
  }
}

export class Cluster {
  /** Starts everything, with `instances` servers behind nginx; `changes` are replacements in its file. */
  static async start(instances = 2, changes = []) {
    const cluster = new Cluster();
    cluster.mail = await new MailServer().listen();
    cluster.store = await Store.make();
    const database = await emptyDatabase();
    const settings = {
      ...cluster.mail.settings(),
      ...cluster.store.settings(),
      FESTIVAL_TRUSTED_PROXIES: '["127.0.0.1"]',
    };
    cluster.servers = [];
    for (let number = 0; number < instances; number++) {
      const own = { ...settings, ROCKET_PORT: String(await freePort()) };
      if (number > 0) own.FESTIVAL_SECRET_KEY_FILE = join(cluster.servers[0].data, "secrets.key");
      const server = await Festival.make({ database, settings: own, isEmpty: number > 0 });
      await server.start();
      cluster.servers.push(server);
    }
    const port = (server) => Number(new URL(server.url).port);
    const others = cluster.servers.slice(1).map((server) => `server 127.0.0.1:${port(server)} fail_timeout=1s;`);
    cluster.proxy = await nginx(port(cluster.servers[0]), [["# server 192.0.2.12:8000 fail_timeout=1s;", others.join("\n")], ...changes]);
    cluster.url = `http://127.0.0.1:${cluster.proxy.ports.http}`;
    return cluster;
  }

  /** Kills the worker processes of nginx, which its master process starts again. */
  killProxyWorkers() {
    for (const pid of family(this.proxy.child.pid).slice(1)) process.kill(pid, "SIGKILL");
  }

  async end() {
    await this.proxy.stop();
    for (const server of this.servers) await server.end();
    await this.store.end();
    await this.mail.close();
  }
}


/** A process and its children, as they are now. */
export function family(pid) {
  const parents = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((name) => {
    try {
      return [Number(name), Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))[1])];
    } catch {
      return [0, 0]; // It ended meanwhile.
    }
  });
  return [pid, ...parents.filter(([, parent]) => parent === pid).map(([child]) => child)];
}

/** Stops processes for `ms` milliseconds, children with their parent. */
export async function stopFor(pid, ms) {
  const stopped = new Set();
  const signal = (to, name) => {
    try {
      process.kill(to, name);
    } catch {
      // It ended meanwhile.
    }
  };
  // The parent first: it makes no further children then.
  for (let size = -1; size < stopped.size;) {
    size = stopped.size;
    for (const one of family(pid)) if (!stopped.has(one)) signal(one, "SIGSTOP");
    for (const one of family(pid)) stopped.add(one);
  }
  await pause(ms);
  for (const one of stopped) signal(one, "SIGCONT");
}
