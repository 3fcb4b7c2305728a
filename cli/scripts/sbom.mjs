// Writes what is built into the program as a CycloneDX list (1.5): the crates that it is linked from and the npm packages
// that the website is bundled from, with versions, licences and package URLs: node cli/scripts/sbom.mjs FILE
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const target = /^host: (.*)$/m.exec(execFileSync("rustc", ["-vV"], { encoding: "utf8" }))[1];

/** The crates that `festival-cli` is linked from, without those that only build or test. */
function crates() {
  const args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", target];
  const { packages, resolve: graph } = JSON.parse(execFileSync("cargo", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 }));
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const found = new Set();
  const waiting = [packages.find(({ name }) => name === "festival-cli").id];
  for (let id = waiting.pop(); id; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...nodes.get(id).deps.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null)).map(({ pkg }) => pkg));
  }
  return packages
    .filter(({ id, source }) => found.has(id) && source)
    .map(({ name, version, license }) => component(name, version, license, `pkg:cargo/${name}@${version}`));
}

/** The npm packages that the website is made of. */
function scripts() {
  const { packages } = JSON.parse(readFileSync(join(root, "frontend/package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path, { dev, optional }]) => path && !dev && !optional)
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return component(name, version, license, `pkg:npm/${name.replace("@", "%40")}@${version}`);
    });
}

function component(name, version, license, purl) {
  const licenses = license ? [{ expression: license.replace(/ ?\/ ?/g, " OR ") }] : [];
  return { type: "library", "bom-ref": purl, name, version, licenses, purl };
}

const components = [...crates(), ...scripts()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];
const list = { bomFormat: "CycloneDX", specVersion: "1.5", version: 1, metadata: { component: { type: "application", name: "festival", version } }, components };
writeFileSync(process.argv[2], `${JSON.stringify(list, null, 1)}\n`);
console.log(`${process.argv[2]}: ${components.length} components`);
