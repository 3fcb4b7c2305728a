// `make run`, with and without DATES=specified, in one data folder: node --test tests/deploy/run.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { program } from "../faults/support/program.mjs";

const root = resolve(import.meta.dirname, "../..");
const data = mkdtempSync(join(tmpdir(), "festival-run-"));
/** Stops the site that runs, if one does. */
let stop = () => {};
after(async () => {
  await stop();
  rmSync(data, { recursive: true, force: true });
});

/** Runs `make run` with a program that is built already; returns its output until the site is up, and the site. */
async function run(...variables) {
  await stop();
  // `-o`: as if these targets were up to date.
  const built = ["tools", "program", "target/stamps/frontend"].flatMap((target) => ["-o", target]);
  const child = spawn("make", ["run", `festival=${program}`, ...built, ...variables], {
    cwd: root,
    env: { ...process.env, FESTIVAL_DATA_DIR: data, FESTIVAL_LOG__FILTER: "warn", ROCKET_ADDRESS: "127.0.0.1", ROCKET_PORT: "0" },
    detached: true,
  });
  let output = "";
  const ended = new Promise((done) => child.once("close", done));
  const url = await new Promise((done, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        const found = /The site is at (\S+)\n/.exec(output);
        if (found) done(found[1]);
      });
    }
    child.once("exit", (code) => fail(new Error(`make ended with ${code}:\n${output}`)));
  });
  stop = () => {
    stop = () => {};
    process.kill(-child.pid, "SIGTERM");
    return ended;
  };
  return { lines: output.trimEnd().split("\n"), read: async (path) => (await (await fetch(url + path)).text()).replaceAll("<!-- -->", "") };
}

/** The years of the history, in their order. */
const years = async (site) => JSON.parse(await site.read("/api/history/")).map(({ year }) => year);
/** The years from one to another. */
const range = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

test("make run says that dates are moved, and DATES=specified shows those of the specification", async () => {
  const moved = await run();
  const notice = "All dates of the demonstration are moved to the coming weeks. make run DATES=specified shows those of its file: the festival from 24 to 31 October 2025.";
  assert.ok(moved.lines.slice(-3).includes(notice), moved.lines.join("\n"));
  const { edition } = JSON.parse(await moved.read("/api/site/"));
  assert.ok(new Date(edition.starts_on) > new Date(), edition.starts_on);
  assert.deepEqual(await years(moved), range(edition.year - 21, edition.year - 1));

  const exact = await run("DATES=specified");
  assert.ok(!exact.lines.some((line) => line.includes("moved to the coming weeks.") && line.startsWith("All dates")), exact.lines.join("\n"));
  for (const [path, ...facts] of [
    ["/", "24 to 31 October 2025", "Submissions until 1 September 2025"],
    ["/form", "DELEGATE / MEMBER FORM - Velicham 2025"],
    ["/submit-entry", "Last Date for Submission: September 1, 2025"],
    ["/isff-2025", "8 to 10 August 2025"],
    ["/ifff-9th", "10 to 15 January 2026"],
    ["/ndsf-2025", "23 August 2025 at 4:00 PM"],
  ]) {
    const page = await exact.read(path);
    for (const fact of facts) assert.ok(page.includes(fact), `${path}: ${fact}`);
  }
  assert.deepEqual(await years(exact), range(2004, 2024));
  const changes = JSON.parse(await exact.read("/api/programme/"));
  assert.ok(JSON.stringify(changes).includes("2025-10-24"), "the programme moved back as well");

  const again = await run();
  assert.deepEqual(await years(again), range(edition.year - 21, edition.year - 1));
});
