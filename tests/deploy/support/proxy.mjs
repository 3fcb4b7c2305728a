// nginx, Caddy, Apache and HAProxy with the files of config/deploy, on ports of this machine and with a certificate of their own.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
    this.printed = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (this.printed += text));
    this.ended = new Promise((done) => child.once("close", done)).then(() => children.delete(child));
  }

  /** What it reported: on standard error, and in its log of errors. */
  get errors() {
    const errorLog = join(this.folder, "festival.error.log");
    return this.printed + (existsSync(errorLog) ? readFileSync(errorLog, "utf8") : "");
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

/** Starts Apache with config/deploy/apache.conf in front of the program at `port`. */
export async function apache(port) {
  const folder = await folderFor("apache");
  const ports = { http: await freePort(), https: await freePort() };
  const certificates = "/etc/letsencrypt/live/festival.example";
  const site = replaced(readFileSync(join(deploy, "apache.conf"), "utf8"), [
    ["<VirtualHost *:80>", `<VirtualHost *:${ports.http}>`],
    ["<VirtualHost *:443>", `<VirtualHost *:${ports.https}>`],
    [`${certificates}/fullchain.pem`, join(folder, "certificate.pem")],
    [`${certificates}/privkey.pem`, join(folder, "key.pem")],
    ["127.0.0.1:8000", `127.0.0.1:${port}`],
    ["/usr/share/festival", join(folder, "pages")],
    ["/var/log/apache2/", `${folder}/`],
  ]);
  writeFileSync(join(folder, "site.conf"), site);
  // As Debian's apache2.conf, which compresses; the modules that the shipped file names, and those that are always there.
  const named = /a2enmod (.+)/.exec(site)[1].split(" ");
  const always = ["mpm_event", "authz_core", "alias", "mime", "filter", "deflate", "socache_shmcb"];
  const modules = [...always, ...named].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
  const main = `${modules.join("\n")}
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
PidFile ${folder}/pid
ServerName localhost
ErrorLog ${folder}/festival.error.log
${process.getuid() === 0 ? "User www-data\nGroup www-data" : ""}
TypesConfig /etc/mime.types
AddOutputFilterByType DEFLATE text/html text/plain application/json image/x-icon
Listen 127.0.0.1:${ports.http}
Listen 127.0.0.1:${ports.https}
<Directory />
  Require all denied
</Directory>
Include ${folder}/site.conf
`;
  writeFileSync(join(folder, "apache2.conf"), main);
  const child = spawn("apache2", ["-f", join(folder, "apache2.conf"), "-D", "FOREGROUND"], { env: withSbin(), stdio: ["ignore", "ignore", "pipe"] });
  return new Proxy(folder, ports, join(folder, "festival.access.log"), child).answers();
}

/** Starts HAProxy with config/deploy/haproxy.cfg in front of the program at `port`. */
export async function haproxy(port) {
  const folder = await folderFor("haproxy");
  const ports = { http: await freePort(), https: await freePort() };
  const site = replaced(readFileSync(join(deploy, "haproxy.cfg"), "utf8"), [
    ["log /dev/log local0", "log stdout format raw local0"],
    ["bind :80", `bind 127.0.0.1:${ports.http}`],
    ["bind :443", `bind 127.0.0.1:${ports.https}`],
    ["/etc/haproxy/festival.example.pem", join(folder, "both.pem")],
    ["127.0.0.1:8000", `127.0.0.1:${port}`],
    ["/usr/share/festival", join(folder, "pages")],
  ]);
  writeFileSync(join(folder, "both.pem"), readFileSync(join(folder, "certificate.pem"), "utf8") + readFileSync(join(folder, "key.pem"), "utf8"));
  writeFileSync(join(folder, "haproxy.cfg"), site);
  const accessLog = join(folder, "festival.access.log");
  const child = spawn("haproxy", ["-f", join(folder, "haproxy.cfg"), "-db"], { env: withSbin(), stdio: ["ignore", openSync(accessLog, "w"), "pipe"] });
  return new Proxy(folder, ports, accessLog, child).answers();
}

const withSbin = () => ({ ...process.env, PATH: `${process.env.PATH}:/usr/sbin` });
