// `make release`, with a program that is already built: node --test tests/deploy/release.test.mjs
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
