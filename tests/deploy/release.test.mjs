// `make release`, with a program that is already built: node --test tests/deploy/release.test.mjs
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { program } from "../faults/support/program.mjs";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "festival-release-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];

/** Runs the script with a changelog of this text. */
function release(changelog, ...options) {
  const file = join(folder, "CHANGELOG.md");
  writeFileSync(file, changelog);
  return spawnSync(process.execPath, [join(root, "cli/scripts/release.mjs"), "--changelog", file, ...options], { encoding: "utf8" });
}

test("a version that the changelog does not have, or not with a date and changes, is refused", () => {
  for (const [changelog, sentence] of [
    ["# Changes\n\n## 99.0.0, 2025-10-24\n\n- New.\n", `CHANGELOG.md has no section for ${version}`],
    [`# Changes\n\n## ${version}, not released\n\n- New.\n`, `CHANGELOG.md says "${version}, not released"`],
    [`# Changes\n\n## ${version}, 2025-10-24\n\n## 0.0.1\n\n- Old.\n`, `The section for ${version} in CHANGELOG.md is empty`],
  ]) {
    const { status, stderr } = release(changelog, "--check");
    assert.equal(status, 1);
    assert.ok(stderr.includes(sentence), stderr);
  }
});

test("a release is an archive with all that an operator needs, and checksums that are right", () => {
  const out = join(folder, "dist");
  const changelog = `# Changes\n\n## ${version}, 2025-10-24\n\n- A lantern.\n\n## 0.0.1\n\n- Old.\n`;
  const packed = release(changelog, "--draft", "--program", program, "--out", out);
  assert.equal(packed.status, 0, packed.stderr);
  assert.match(packed.stdout, /NOT BUILT: the container image/);
  const checked = execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: out, encoding: "utf8" });
  const files = readdirSync(out).filter((file) => file !== "SHA256SUMS").sort();
  assert.deepEqual(checked.trim().split("\n").sort(), files.map((file) => `${file}: OK`));

  const archive = files.find((file) => file.endsWith(".tar.gz"));
  execFileSync("tar", ["-xzf", join(out, archive), "-C", folder]);
  const inside = join(folder, `festival-${version}-draft`);
  assert.equal(execFileSync(join(inside, "festival"), ["--version"], { encoding: "utf8" }).trim(), `festival ${version}`);
  const readme = readFileSync(join(inside, "README.md"), "utf8");
  for (const [, path] of readme.matchAll(/^\| `([^`]+)`/gm)) {
    assert.ok(readdirSync(join(inside, path.endsWith("/") ? path : join(path, ".."))).length > 0, path);
  }
  assert.match(readFileSync(join(inside, "CHANGES.md"), "utf8"), /A lantern\.\n$/);
  assert.match(readFileSync(join(inside, "BUILD.txt"), "utf8"), /^glibc 2\.\d+$/m);
  // The archive contains the units, proxies and commands of the guide.
  const guide = readFileSync(join(inside, "docs/operations.md"), "utf8");
  for (const [path] of guide.matchAll(/\bdeploy\/[A-Za-z.-]+\.(?:service|timer|conf|cfg|html)\b/g)) readFileSync(join(inside, path));
  const bom = JSON.parse(readFileSync(join(inside, "festival.cdx.json"), "utf8"));
  assert.ok(bom.components.some(({ purl }) => purl.startsWith("pkg:cargo/rocket@")) && bom.components.some(({ purl }) => purl.startsWith("pkg:npm/react@")));

  const first = readFileSync(join(out, archive));
  assert.equal(release(changelog, "--draft", "--program", program, "--out", out).status, 0);
  assert.ok(first.equals(readFileSync(join(out, archive))), "the same files make the same archive");
});

const isRoot = process.getuid() === 0;
test("the Debian package is installed, upgraded, removed and purged, and no data of the site goes", { skip: !isRoot && "dpkg needs root" }, () => {
  const out = join(folder, "packages");
  const packed = release(`# Changes\n\n## ${version}, 2025-10-24\n\n- A lantern.\n`, "--draft", "--program", program, "--out", out);
  assert.equal(packed.status, 0, packed.stderr);
  const first = join(out, readdirSync(out).find((file) => file.endsWith(".deb")));

  const machine = join(folder, "machine");
  for (const made of ["etc", "var/lib/dpkg/info", "var/lib/dpkg/updates"]) mkdirSync(join(machine, made), { recursive: true });
  for (const [file, text] of [["etc/passwd", "root:x:0:0:root:/root:/bin/sh\n"], ["etc/group", "root:x:0:\n"], ["etc/shadow", ""], ["etc/gshadow", ""], ["var/lib/dpkg/status", ""]]) writeFileSync(join(machine, file), text);
  // What it depends on is on this machine, outside the root.
  const dpkg = (...options) => execFileSync("dpkg", [`--root=${machine}`, "--force-script-chrootless", "--force-depends", ...options], { encoding: "utf8", stdio: "pipe" });
  const mode = (path) => (statSync(join(machine, path)).mode & 0o777).toString(8);
  const text = (path) => readFileSync(join(machine, path), "utf8");
  const user = () => /^festival:x:(\d+):(\d+):/m.exec(text("etc/passwd")).slice(1).map(Number);
  const owner = (path) => [statSync(join(machine, path)).uid, statSync(join(machine, path)).gid];

  assert.match(dpkg("--install", first), /Next: festival init/);
  assert.deepEqual(["var/lib/festival", "var/backups/festival", "etc/festival/config", "etc/festival/secrets.env"].map(mode), ["700", "700", "755", "600"]);
  assert.deepEqual(owner("var/lib/festival"), user());
  for (const unit of ["festival.service", "festival-backup.service"]) {
    const [, started] = /^ExecStart=(\S+)/m.exec(text(`usr/lib/systemd/system/${unit}`));
    assert.equal(execFileSync(join(machine, started), ["--version"], { encoding: "utf8" }).trim(), `festival ${version}`);
  }
  for (const [, page] of text("usr/share/doc/festival-website/examples/nginx.conf").matchAll(/root (\/usr\/share\/[^;]+);/g)) assert.ok(existsSync(join(machine, page)), page);

  execFileSync(join(machine, "usr/lib/festival/festival"), ["migrate"], { cwd: join(machine, "etc/festival"), env: { ...process.env, FESTIVAL_DATA_DIR: join(machine, "var/lib/festival") }, stdio: "pipe" });
  const database = readFileSync(join(machine, "var/lib/festival/festival.db"));
  writeFileSync(join(machine, "etc/festival/config/local.toml"), "office = true\n");
  appendFileSync(join(machine, "etc/festival/secrets.env"), "FESTIVAL_MAIL__PASSWORD='lantern'\n");
  const assertKept = () => {
    assert.ok(database.equals(readFileSync(join(machine, "var/lib/festival/festival.db"))));
    assert.equal(text("etc/festival/config/local.toml"), "office = true\n");
    assert.equal(text("etc/festival/secrets.env"), "FESTIVAL_MAIL__PASSWORD='lantern'\n");
    assert.equal(mode("etc/festival/secrets.env"), "600");
  };

  const unpacked = join(folder, "next");
  execFileSync("dpkg-deb", ["--raw-extract", first, unpacked]);
  const control = join(unpacked, "DEBIAN/control");
  writeFileSync(control, readFileSync(control, "utf8").replace(/^Version: .*$/m, "Version: 99.0.0"));
  execFileSync("dpkg-deb", ["-Zgzip", "-z1", "--build", unpacked, join(folder, "next.deb")], { stdio: "pipe" });
  assert.doesNotMatch(dpkg("--install", join(folder, "next.deb")), /Next: festival init/);
  assertKept();
  assert.equal(text("etc/passwd").match(/^festival:/gm).length, 1);

  dpkg("--remove", "festival-website");
  assert.ok(!existsSync(join(machine, "usr/lib/festival/festival")) && !existsSync(join(machine, "usr/bin/festival")));
  assertKept();
  assert.match(dpkg("--purge", "festival-website"), /Kept: \/var\/lib\/festival, \/var\/backups\/festival, \/etc\/festival/);
  assertKept();
});
