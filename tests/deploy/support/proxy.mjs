// nginx and Caddy with the files of config/deploy, on ports of this machine and with a certificate of their own.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { connect } from "node:tls";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pause } from "../../faults/support/program.mjs";

export const root = resolve(import.meta.dirname, "../../..");
const deploy = join(root, "config/deploy");

/** The name of the site in the shipped files. */
export const HOST = "festival.example";

/** Processes to end with the tests. */
const children = new Set();
// A SIGTERM lets nginx stop its workers, too.
process.on("exit", () => children.forEach((child) => child.kill("SIGTERM")));

/** A port that is free now. */
export function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** Replaces each text of `changes` in `text`; a missing one is an error. */
export function replaced(text, changes) {
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`not in the shipped file: ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** A folder for a proxy: certificate, key, pages. */
async function folderFor(name) {
  const folder = mkdtempSync(join(tmpdir(), `festival-${name}-`));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "pages"));
  for (const page of ["unavailable.html", "not-received.html"]) copyFileSync(join(deploy, page), join(folder, "pages", page));
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = ["-subj", `/CN=${HOST}`, "-addext", `subjectAltName=DNS:${HOST},DNS:www.${HOST}`];
  execFileSync("openssl", ["req", "-x509", ...kind, ...names, "-keyout", join(folder, "key.pem"), "-out", join(folder, "certificate.pem")], { stdio: "ignore" });
  return folder;
}

/** A running proxy, with its ports and its access log. */
class Proxy {
  constructor(folder, ports, accessLog, child) {
    Object.assign(this, { folder, ports, accessLog, child });
    children.add(child);
    this.errors = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (this.errors += text));
    this.ended = new Promise((done) => child.once("close", done)).then(() => children.delete(child));
  }

  /** Waits until it answers by TLS. */
  async answers() {
    for (;;) {
      if (this.child.exitCode !== null) throw new Error(`the proxy ended with ${this.child.exitCode}: ${this.errors}`);
      const isThere = await new Promise((done) => {
        const socket = connect({ host: "127.0.0.1", port: this.ports.https, servername: HOST, rejectUnauthorized: false }, () => done(true));
        socket.once("error", () => done(false)).once("secureConnect", () => socket.destroy());
      });
      if (isThere) return this;
      await pause(50);
    }
  }

  /** The lines of the access log, once there are `count` of them. */
  async logged(count) {
    for (;;) {
      const lines = existsSync(this.accessLog) ? readFileSync(this.accessLog, "utf8").split("\n").filter(Boolean) : [];
      if (lines.length >= count) return lines;
      await pause(50);
    }
  }

  async stop() {
    this.child.kill("SIGTERM");
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Starts nginx with config/deploy/nginx.conf in front of the program at `port`; `changes` are further replacements. */
export async function nginx(port, changes = []) {
  const folder = await folderFor("nginx");
  const ports = { http: await freePort(), https: await freePort() };
  const shipped = readFileSync(join(deploy, "nginx.conf"), "utf8");
  const certificates = "/etc/letsencrypt/live/festival.example";
  const site = replaced(shipped, [
    ["listen 80;", `listen 127.0.0.1:${ports.http};`],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${ports.https} ssl http2;`],
    ["    listen [::]:80;\n", ""],
    ["    listen [::]:443 ssl http2;\n", ""],
    [`${certificates}/fullchain.pem`, join(folder, "certificate.pem")],
    [`${certificates}/privkey.pem`, join(folder, "key.pem")],
    ["127.0.0.1:8000", `127.0.0.1:${port}`],
    ["/usr/share/festival", join(folder, "pages")],
    ["/var/log/nginx/", `${folder}/`],
    ...changes,
  ]);
  writeFileSync(join(folder, "site.conf"), site);
  // As Debian's nginx.conf, which compresses.
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n");
  const main = `${process.getuid() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log stderr;
events { worker_connections 1024; }
http {
  types { text/html html; }
  gzip on;
  gzip_types *;
  gzip_proxied any;
  access_log off;
  ${temporary}
  include ${folder}/site.conf;
}
`;
  writeFileSync(join(folder, "nginx.conf"), main);
  const child = spawn("nginx", ["-e", "stderr", "-c", join(folder, "nginx.conf"), "-p", folder], { env: withSbin(), stdio: ["ignore", "ignore", "pipe"] });
  return new Proxy(folder, ports, join(folder, "festival.access.log"), child).answers();
}

/** Starts Caddy with config/deploy/Caddyfile in front of the program at `port`. */
export async function caddy(port) {
  const folder = await folderFor("caddy");
  const ports = { http: await freePort(), https: await freePort() };
  const shipped = readFileSync(join(deploy, "Caddyfile"), "utf8");
  const site = replaced(shipped, [
    ["{\n\tservers {", `{\n\tadmin off\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n\tdefault_bind 127.0.0.1\n\tservers {`],
    ["# tls /etc/ssl/festival.example.pem /etc/ssl/festival.example.key", `tls ${folder}/certificate.pem ${folder}/key.pem`],
    ["127.0.0.1:8000", `127.0.0.1:${port}`],
    ["/usr/share/festival", join(folder, "pages")],
    ["/var/log/caddy/", `${folder}/`],
  ]);
  writeFileSync(join(folder, "Caddyfile"), site);
  const env = { ...withSbin(), HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn("caddy", ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"], { env, stdio: ["ignore", "ignore", "pipe"] });
  return new Proxy(folder, ports, join(folder, "festival.access.log"), child).answers();
}

const withSbin = () => ({ ...process.env, PATH: `${process.env.PATH}:/usr/sbin` });
