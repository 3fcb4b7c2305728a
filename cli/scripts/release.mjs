// Packs a release: archive, Debian package, bill of materials, checksums, and a container image where an engine runs.
// `make release` calls it.
//
//   release.mjs --check            only says whether this version can be released
//   release.mjs                    packs target/release/festival into target/dist
//   release.mjs --draft            also a version without a date in the changelog, or with uncommitted changes
//   --program FILE, --out FOLDER, --changelog FILE    in place of those
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packForDebian } from "./debian-package.mjs";

const root = resolve(import.meta.dirname, "../..");
const { values: options } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    draft: { type: "boolean", default: false },
    program: { type: "string", default: join(root, "target/release/festival") },
    out: { type: "string", default: join(root, "target/dist") },
    changelog: { type: "string", default: join(root, "CHANGELOG.md") },
  },
});

/** The files in the archive, and their sources. */
const CONTENTS = {
  "README.md": "config/deploy/README.md",
  "LICENSE-APACHE": "LICENSE-APACHE",
  "LICENSE-MIT": "LICENSE-MIT",
  "config/festival.toml": "config/festival.toml",
  "config/alerts.yml": "config/alerts.yml",
  "docs/operations.md": "docs/operations.md",
  ...Object.fromEntries(
    ["festival.service", "festival.socket", "festival-backup.service", "festival-backup.timer", "nginx.conf", "Caddyfile", "apache.conf", "haproxy.cfg", "unavailable.html", "not-received.html"].map(
      (name) => [`deploy/${name}`, `config/deploy/${name}`],
    ),
  ),
};

const output = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: "utf8" }).trim();

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** The section of the changelog for `version`, without its heading. */
function changes(version) {
  const sections = readFileSync(options.changelog, "utf8").split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/[\s,]/, 1)[0] === version);
  if (!section) refuse(`CHANGELOG.md has no section for ${version}. Write one, "## ${version}, <date>", with what changed.`);
  const [heading] = section.split("\n", 1);
  if (!options.draft && !/\d{4}-\d{2}-\d{2}/.test(heading)) {
    refuse(`CHANGELOG.md says "${heading}". Put the date of the release in its place: "## ${version}, ${new Date().toISOString().slice(0, 10)}".`);
  }
  const text = section.slice(heading.length).trim();
  if (!text) refuse(`The section for ${version} in CHANGELOG.md is empty. Write what changed.`);
  return text;
}

/** The newest version of glibc whose functions `program` uses. */
function glibc(program) {
  const minors = [...readFileSync(program).toString("latin1").matchAll(/GLIBC_2\.(\d+)\b/g)].map(([, minor]) => Number(minor));
  return minors.length ? `2.${Math.max(...minors)}` : "not needed";
}

const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];
const text = changes(version);
if (!options.draft && output("git", "status", "--porcelain")) {
  refuse("There are uncommitted changes. Commit them first: what is released must be what is in the repository.");
}
if (options.check) {
  console.log(`${version} can be released.`);
  process.exit(0);
}

if (!existsSync(options.program)) refuse(`${options.program} does not exist. Build it first: make build.`);
const answered = output(options.program, "--version");
if (answered.split(" ").at(-1) !== version) refuse(`${options.program} is "${answered}", not ${version}. Build it anew: make build.`);

const target = /^host: (.*)$/m.exec(output("rustc", "-vV"))[1];
const name = `festival-${version}${options.draft ? "-draft" : ""}`;
const folder = join(options.out, name);
rmSync(options.out, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [to, from] of Object.entries(CONTENTS)) {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  cpSync(join(root, from), join(folder, to));
}
copyFileSync(options.program, join(folder, "festival"));
chmodSync(join(folder, "festival"), 0o755);
writeFileSync(join(folder, "CHANGES.md"), `# Changes in ${version}\n\n${text}\n`);
writeFileSync(
  join(folder, "BUILD.txt"),
  [`version ${version}`, `commit ${output("git", "rev-parse", "HEAD")}`, `target ${target}`, `compiler ${output("rustc", "--version")}`, `glibc ${glibc(options.program)}`, ""].join("\n"),
);
const bom = join(options.out, `${name}.cdx.json`);
execFileSync(process.execPath, [join(root, "cli/scripts/sbom.mjs"), bom], { cwd: root, stdio: "ignore" });
copyFileSync(bom, join(folder, "festival.cdx.json"));

// The same files always make the same archive.
const archive = `${name}-${target}.tar.gz`;
const time = output("git", "log", "-1", "--format=%ct");
const order = ["--sort=name", `--mtime=@${time}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u+w,go-w,a+rX"];
const tar = execFileSync("tar", ["-C", options.out, ...order, "-cf", "-", name], { maxBuffer: 1 << 30 });
writeFileSync(join(options.out, archive), execFileSync("gzip", [options.draft ? "-1n" : "-9n"], { input: tar, maxBuffer: 1 << 30 }));
const debian = packForDebian({
  folder,
  out: options.out,
  scripts: join(root, "config/deploy/debian"),
  version,
  glibc: glibc(options.program),
  time,
  isDraft: options.draft,
});
rmSync(folder, { recursive: true });
writeFileSync(join(options.out, "CHANGES.md"), `${text}\n`);

const files = [archive, `${name}.cdx.json`, "CHANGES.md"];
const image = buildImage();
for (const file of [debian, image]) if (file) files.push(file);
const sums = files.map((file) => `${createHash("sha256").update(readFileSync(join(options.out, file))).digest("hex")}  ${file}\n`);
writeFileSync(join(options.out, "SHA256SUMS"), sums.join(""));
console.log([...files, "SHA256SUMS"].map((file) => join(options.out, file)).join("\n"));
if (!options.draft) console.log(`Next: git tag -s v${version} && git push origin v${version}`);

/** Builds the container image and writes it into a file; nothing without a container engine. */
function buildImage() {
  const engine = ["podman", "docker"].find((engine) => spawnSync(engine, ["info"], { stdio: "ignore" }).status === 0);
  if (!engine || options.draft) {
    console.log(`NOT BUILT: the container image (${options.draft ? "a draft has none" : "neither podman nor docker runs here"})`);
    return undefined;
  }
  const tag = `festival:${version}`;
  execFileSync(engine, ["build", "-t", tag, "-f", "config/deploy/Containerfile", "."], { cwd: root, stdio: "inherit" });
  const file = `${name}-image.tar`;
  execFileSync(engine, ["save", "-o", join(options.out, file), tag]);
  return file;
}
