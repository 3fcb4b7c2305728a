// What the documents say about this repository: links, paths, targets, lists. node --test tests/deploy/documents.test.mjs
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "../..");
const read = (file) => readFileSync(join(root, file), "utf8");

/** The paths of all files below `folder`, from the root; without what is built or installed. */
function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (["node_modules", "target", "dist", ".git", "results"].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const files = filesBelow(".");
const documents = files.filter((file) => file.endsWith(".md"));
/** The text without blocks of code. */
const prose = (file) => read(file).replaceAll(/^```[^]*?^```$/gm, "");
/** The anchors of a document's headings, as GitHub makes them. */
const anchors = (file) =>
  [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "").replaceAll(" ", "-"),
  );

/** The links of `file` that lead nowhere. */
function deadLinks(file, text = prose(file)) {
  const targets = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target]) => target);
  return targets.filter((target) => {
    const [path, anchor] = target.split("#");
    const found = path ? relative(root, resolve(root, dirname(file), path)) : file;
    return !existsSync(join(root, found)) || (anchor !== undefined && !anchors(found).includes(anchor));
  });
}

test("every link in every document leads to a file and a heading that exist", () => {
  assert.ok(documents.length > 90, `${documents.length} documents`);
  const dead = documents.flatMap((file) => deadLinks(file).map((target) => `${file}: ${target}`));
  assert.deepEqual(dead, []);
  assert.deepEqual(deadLinks("README.md", "[a](docs/nowhere.md) [b](docs/tour.md#nowhere) [c](docs/tour.md)"), ["docs/nowhere.md", "docs/tour.md#nowhere"]);
});

/** `path` with every `{a,b}` written out, and as a pattern where `<name>` or `*` stands for any name. */
function patterns(path) {
  const group = /\{([^{}]+)\}/.exec(path);
  if (group) return group[1].split(",").flatMap((part) => patterns(path.replace(group[0], part)));
  const escaped = path.replaceAll(/[.+^$()|[\]\\]/g, "\\$&").replaceAll(/<[^>]+>|\*/g, "[^/]+");
  return [new RegExp(`^${escaped}${path.endsWith("/") ? ".+" : "$"}`)];
}

const isThere = (path) => patterns(path).every((pattern) => files.some((file) => pattern.test(file)));

/**
 * The paths in the cells of a table row that do not exist. A path without a folder, `merge.rs`, is next to one before it in
 * the row; `lib.rs` and `module.ts` alone are those of any module.
 */
function missingPaths(row) {
  const missing = [];
  const folders = [""];
  for (const [, path] of row.matchAll(/`([A-Za-z0-9_./<>{},*-]+)`/g)) {
    const isPath = /\.(rs|tsx?|mjs|css|hbs|txt|md|toml|sql|yml|js|timer)$|\/$/.test(path) && !/^[/.*<]/.test(path);
    if (!isPath || ["lib.rs", "module.ts"].includes(path)) continue;
    const found = folders.map((folder) => join(folder, path)).find(isThere);
    if (found) folders.push(dirname(found), dirname(dirname(found)), found.replace(/\/$/, ""));
    else missing.push(path);
  }
  return missing;
}

test("every path in the tables of docs/architecture.md exists", () => {
  const rows = read("docs/architecture.md").split("## Another module")[0].split("\n").filter((line) => /^\| .*\|$/.test(line));
  assert.ok(rows.length > 100, `${rows.length} rows`);
  assert.deepEqual(rows.flatMap(missingPaths), []);
  assert.deepEqual(missingPaths("| x | `core/web/src/page.rs`, `nowhere.rs`; `core/nowhere/` |"), ["nowhere.rs", "core/nowhere/"]);
});

test("every make target and every path that a document for developers names exists", () => {
  const targets = [...read("Makefile").matchAll(/^([a-z0-9-]+):/gm)].map(([, target]) => target);
  for (const file of ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/tour.md", "docs/architecture.md", "docs/operations.md"]) {
    const text = read(file);
    const named = [...text.matchAll(/^make ([a-z-]+)|`make ([a-z -]+)`/gm)].flatMap(([, first, second]) => (first ?? second).split(" "));
    assert.deepEqual(named.filter((target) => !targets.includes(target)), [], file);
    if (file.startsWith("docs/")) continue;
    const paths = [...text.matchAll(/(?<![\w/-])(?:tests|frontend|docs|modules|core|cli|config)\/[\w./-]*[\w/]/g)].map(([path]) => path);
    assert.ok(file === "SECURITY.md" || paths.length >= 8, `${file}: ${paths}`);
    assert.deepEqual(paths.filter((path) => path !== "config/local.toml" && !existsSync(join(root, path))), [], file);
  }
});

test("README fits on a screen and a half, and what it says about the repository is so", () => {
  const readme = read("README.md");
  const lines = readme.split("\n").length;
  assert.ok(lines <= 90, `${lines} lines`);
  const rust = /^rust-version = "([\d.]+)"/m.exec(read("Cargo.toml"))[1];
  assert.match(readme, new RegExp(`\\[Rust\\]\\([^)]*\\) ${rust.replaceAll(".", "\\.")} or newer`));
  assert.match(read("Makefile"), /major == 20 && minor >= 19/);
  assert.match(readme, /\[Node\]\([^)]*\) 20\.19 or\s+newer/);
  const version = /^version = "([\d.]+)"/m.exec(read("Cargo.toml"))[1];
  assert.match(readme, new RegExp(`\\*\\*Status\\*\\*: ${version.replaceAll(".", "\\.")} `));
  for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) assert.ok(existsSync(join(root, licence)), licence);
});

test("every sample list is described, and used by a command in README or the tour", () => {
  const commands = read("README.md") + read("docs/tour.md");
  const samples = readdirSync(join(root, "docs/examples"), { withFileTypes: true }).filter(({ name }) => name !== "README.md");
  assert.ok(samples.length >= 10, `${samples.length} samples`);
  for (const entry of samples) {
    assert.match(commands, new RegExp(`^festival .*\\b${entry.name.replaceAll(".", "\\.")}( |$)`, "m"), entry.name);
    assert.ok(read("docs/examples/README.md").includes(`\`${entry.name}${entry.isDirectory() ? "/" : ""}\``), entry.name);
  }
});

test("the list of decisions has every decision, its title and a status", () => {
  const names = readdirSync(join(root, "docs/decisions")).filter((name) => name !== "README.md").sort();
  const titles = names.map((name) => {
    const [, number, title] = /^# (\d+)\. (.+)\n/.exec(read(`docs/decisions/${name}`)) ?? [];
    assert.equal(String(number).padStart(4, "0"), name.slice(0, 4), name);
    return `| ${number} | [${title}](${name}) |`;
  });
  const rows = read("docs/decisions/README.md").split("\n").filter((line) => /^\| \d/.test(line));
  assert.deepEqual(rows.map((row) => row.replace(/ [^|]+ \|$/, "")), titles);
  for (const row of rows) assert.match(row, /\| (in force|(replaced|amended) by \d+) \|$/);
});

test("each version of CHANGELOG.md is grouped and says whose database it works with", () => {
  const versions = read("CHANGELOG.md").split(/^## /m).slice(1);
  assert.ok(versions.length >= 1);
  for (const version of versions) {
    const [heading] = version.split("\n", 1);
    assert.match(version, /^Works with the database of .+/m, heading);
    const groups = [...version.matchAll(/^### (.+)$/gm)].map(([, group]) => group);
    assert.ok(groups.length > 0, heading);
    const known = ["Added", "Changed", "Fixed", "Removed"];
    assert.deepEqual(groups, known.filter((group) => groups.includes(group)), heading);
    const outside = version.slice(heading.length).split(/^### /m)[0];
    assert.doesNotMatch(outside, /^- /m, `${heading}: a change that is in no group`);
  }
});

test("SECURITY.md names a place to report only when the maintainers have filled one in", () => {
  const text = read("SECURITY.md");
  const links = [...text.matchAll(/\((https?:|mailto:)[^)]*\)/g)].map(([link]) => link);
  assert.deepEqual(links.filter((link) => /example|invalid|TODO|xxx/i.test(link)), [], "a placeholder is not a link");
  assert.match(text, /security_contact/);
});

test("the files that hosts of repositories look for are there", () => {
  for (const file of [".github/ISSUE_TEMPLATE/bug.md", ".github/ISSUE_TEMPLATE/proposal.md", ".github/ISSUE_TEMPLATE/config.yml", ".github/pull_request_template.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md"]) {
    assert.ok(existsSync(join(root, file)), file);
  }
  for (const template of ["bug", "proposal"]) assert.match(read(`.github/ISSUE_TEMPLATE/${template}.md`), /^---\nname: .+\nabout: .+\n/);
});
