// A site on two instances: Postgres, an S3 server, nginx with the shipped file, and a mail server.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort, nginx } from "../../deploy/support/proxy.mjs";
import { MailServer } from "./mail-server.mjs";
import { emptyDatabase } from "./postgres.mjs";
import { Festival } from "./program.mjs";

const root = resolve(import.meta.dirname, "../../..");
const ACCESS_KEY = "festival";
const SECRET_KEY = "a-secret-key-for-tests";
const BUCKET = "site";

/** The S3 server of the tests, on a folder and a port of its own. */
class Store {
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

  kill() {
    const ended = new Promise((done) => this.child.removeAllListeners("exit").once("exit", done));
    this.child.kill("SIGKILL");
    return ended;
  }

  /** The sizes of all objects of submissions, sorted. */
  sizes() {
    const top = join(this.folder, BUCKET, "private");
    const paths = readdirSync(top, { recursive: true }).map((name) => statSync(join(top, name)));
    return paths.filter((about) => about.isFile()).map(({ size }) => size).sort((a, b) => a - b);
  }
}

export class Cluster {
  /** Starts everything, with `instances` servers behind nginx. */
  static async start(instances = 2) {
    const cluster = new Cluster();
    cluster.mail = await new MailServer().listen();
    cluster.store = await Store.make();
    const database = await emptyDatabase();
    const settings = {
      ...cluster.mail.settings(),
      FESTIVAL_S3__BUCKET: BUCKET,
      FESTIVAL_S3__ENDPOINT: `http://127.0.0.1:${cluster.store.port}`,
      FESTIVAL_S3__ACCESS_KEY: ACCESS_KEY,
      FESTIVAL_S3__SECRET_KEY: SECRET_KEY,
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
    const others = cluster.servers.slice(1).map((server) => `server 127.0.0.1:${port(server)};`);
    cluster.proxy = await nginx(port(cluster.servers[0]), [["# server 192.0.2.12:8000;", others.join("\n")]]);
    cluster.url = `http://127.0.0.1:${cluster.proxy.ports.http}`;
    return cluster;
  }

  /** Kills the processes of nginx that serve, which its first process starts again. */
  killProxyWorkers() {
    for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))[1];
        if (Number(parent) === this.proxy.child.pid) process.kill(Number(name), "SIGKILL");
      } catch {
        // It ended meanwhile.
      }
    }
  }

  async end() {
    await this.proxy.stop();
    for (const server of this.servers) await server.end();
    await this.store.kill();
    rmSync(this.store.folder, { recursive: true, force: true });
    await this.mail.close();
  }
}

