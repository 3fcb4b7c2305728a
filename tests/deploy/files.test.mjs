// Container, compose and workflow files, checked by the tools for each: node --test tests/deploy/files.test.mjs
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import { program } from "../faults/support/program.mjs";

const root = resolve(import.meta.dirname, "../..");
const python = (name) => join(root, "target/deploy-tools/bin", name);
before(() => execFileSync(join(root, "tests/support/deploy-tools.sh"), { stdio: "inherit" }));

/** Runs a checking tool; its findings fail the test. */
function assertClean(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, `${command} ${args.join(" ")}:\n${stdout}${stderr}`);
}

/** A YAML file as JSON. */
const yaml = (path) =>
  JSON.parse(execFileSync(python("python"), ["-c", "import json, sys; from ruamel.yaml import YAML; json.dump(YAML(typ='safe').load(open(sys.argv[1])), sys.stdout)", join(root, path)], { encoding: "utf8" }));

const compose = () => yaml("config/deploy/compose.yml");

test("the compose file and the workflow follow their schemas", () => {
  assertClean(python("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", "config/deploy/compose.yml");
  assertClean(python("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", ".github/workflows/ci.yml");
});

test("the workflow calls .ci/run, and the release when a version is tagged", () => {
  const { jobs } = yaml(".github/workflows/ci.yml");
  assert.ok(jobs.test.steps.some(({ run }) => run?.includes(".ci/run")));
  assert.equal(jobs.release.needs, "test");
  assert.match(jobs.release.if, /refs\/tags\/v/);
  const rust = /^rust-version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];
  for (const job of Object.values(jobs)) assert.ok(job.container.startsWith(`rust:${rust}-`), job.container);
  const containerfile = readFileSync(join(root, "config/deploy/Containerfile"), "utf8");
  assert.ok(containerfile.includes(`/rust:${rust}-`), "the Containerfile has another compiler");
});

test("hadolint finds nothing in the Containerfile", (t) => {
  const tool = [python("hadolint"), "hadolint"].find((path) => spawnSync(path, ["--version"]).status === 0);
  if (tool) assertClean(tool, "config/deploy/Containerfile");
  else t.diagnostic("NOT TESTED: hadolint is not installed");
});

test("the compose file's settings, files and stages exist", () => {
  const { services, networks } = compose();
  const containerfile = readFileSync(join(root, "config/deploy/Containerfile"), "utf8");
  for (const { build, volumes = [] } of Object.values(services)) {
    if (build?.target) assert.match(containerfile, new RegExp(`^FROM .* AS ${build.target}$`, "m"));
    for (const volume of volumes.filter((volume) => volume.startsWith("."))) {
      const path = join(root, "config/deploy", volume.split(":")[0]);
      assert.ok(existsSync(path), path);
    }
  }
  // The program knows every setting, and trusts the proxy.
  const data = mkdtempSync(join(tmpdir(), "festival-compose-"));
  const secrets = { FESTIVAL_HOST: "festival.example", POSTGRES_PASSWORD: "secret", S3_SECRET_KEY: "secret-key", MAIL_PASSWORD: "" };
  // The command reads the settings in force from the database, and there is none.
  const { ROCKET_DATABASES: _, ...ours } = services.site.environment;
  const settings = Object.entries(ours).map(([name, value]) => [name, value.replace(/\$\{(\w+)[^}]*\}/g, (_, secret) => secrets[secret])]);
  const environment = { PATH: process.env.PATH, FESTIVAL_DATA_DIR: data, ...Object.fromEntries(settings) };
  const shown = spawnSync(program, ["config", "show"], { cwd: data, env: environment, encoding: "utf8" });
  rmSync(data, { recursive: true });
  assert.equal(shown.status, 0, shown.stderr);
  for (const line of ['public_url = "https://festival.example"', 'bucket = "festival"', 'endpoint = "http://store:8333"']) {
    assert.ok(shown.stdout.includes(line), line);
  }
  const [network] = networks.default.ipam.config;
  const proxy = services.proxy.networks.default.ipv4_address;
  assert.deepEqual(JSON.parse(environment.FESTIVAL_TRUSTED_PROXIES), [proxy]);
  assert.equal(proxy.split(".", 3).join("."), network.subnet.split(".", 3).join("."));
});

test("services of the site run without root and without writing into their own files", () => {
  const { services } = compose();
  for (const name of ["site", "backup"]) {
    const service = services[name];
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ["ALL"], name);
    assert.ok(service.security_opt.includes("no-new-privileges:true"), name);
  }
  const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
  assert.deepEqual(ports, services.proxy.ports, "only the proxy can be reached from outside");
});
