// Writes a software bill of materials (CycloneDX 1.5): the crates that the program is linked from and the npm packages that
// the website is bundled from, with versions, licences and package URLs. Usage: node cli/scripts/sbom.mjs FILE
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const target = /^host: (.*)$/m.exec(execFileSync("rustc", ["-vV"], { encoding: "utf8" }))[1];

/** The crates that the program is linked from, without build and test dependencies. */
function crates() {
  const args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", target];
  const { packages, resolve: graph } = JSON.parse(execFileSync("cargo", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 }));
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const linked = new Set();
  const queue = [packages.find(({ name }) => name === "festival").id];
  for (let id = queue.pop(); id; id = queue.pop()) {
    if (linked.has(id)) continue;
    linked.add(id);
    queue.push(...nodes.get(id).deps.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null)).map(({ pkg }) => pkg));
  }
  return packages
    .filter(({ id, source }) => linked.has(id) && source)
    .map(({ name, version, license }) => component(name, version, license, `pkg:cargo/${name}@${version}`));
}

/** The npm packages that the website is bundled from. */
function npmPackages() {
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

const components = [...crates(), ...npmPackages()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];
const bom = { bomFormat: "CycloneDX", specVersion: "1.5", version: 1, metadata: { component: { type: "application", name: "festival", version } }, components };
writeFileSync(process.argv[2], `${JSON.stringify(bom, null, 1)}\n`);
console.log(`${process.argv[2]}: ${components.length} components`);
