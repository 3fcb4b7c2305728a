// Upgrades a site on two instances to a version with a migration, and back, while forms with files are sent and pages are
// read through nginx: node tests/faults/upgrade.mjs [--connections 4]
// The next version is tests/examples/next-version.rs. No page view may fail, nothing acknowledged may be lost.
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { Cluster, LEFT_OUT } from "./support/cluster.mjs";
import { Load, longestGap } from "./support/load.mjs";
import { query, withPostgres } from "./support/postgres.mjs";
import { pause, program } from "./support/program.mjs";
import { check, count, main, tally } from "./support/report.mjs";

withPostgres();
const connections = count("connections", 4);
const root = resolve(import.meta.dirname, "../..");
const next = join(root, "target/debug/examples/next-version");
/** Acknowledged forms after each step. */
const BETWEEN = 12;

await main(async () => {
  execFileSync("cargo", ["build", "--quiet", "-p", "festival-tests", "--example", "next-version"], { cwd: root, stdio: "inherit" });
  const cluster = await Cluster.start();
  const [first] = cluster.servers;
  const load = new Load(cluster.url, connections);
  const steps = [];
  const migrations = () => query("SELECT count(*) FROM migrations", first.database);
  const step = async (name, work) => {
    const begin = performance.now();
    await work();
    if (!(await load.more(BETWEEN))) check(`forms are acknowledged after: ${name}`, false);
    steps.push({ name, begin, end: performance.now() });
  };
  /** Restarts one instance after the other with another version of the program. */
  const roll = async (to) => {
    for (const [number, server] of cluster.servers.entries()) {
      await step(`instance ${"AB"[number]} restarted with the ${to === next ? "next" : "first"} version`, async () => {
        await server.kill("SIGTERM");
        server.program = to;
        await server.start();
        while ((await server.get("/readyz")) !== 200) await pause(50);
        await pause(LEFT_OUT);
      });
    }
  };

  await load.more(BETWEEN);
  const before = await migrations();
  let applied = [];
  await step("migrated by two at once", async () => {
    const newer = cluster.servers.map((server) => Object.assign(server.with({}), { program: next }));
    applied = (await Promise.all(newer.map((server) => server.run("migrate")))).flatMap((text) => text.split("\n").filter((line) => line.startsWith("applied")));
  });
  check("one of two that migrate at once does it", applied.join() === "applied next/9801_premieres", applied.join());
  check("the first version is ready on the newer database", (await first.attempt("check")).code === 0 && (await first.get("/readyz")) === 200);
  await roll(next);
  const written = Number(await query("SELECT count(*) FROM film_submissions WHERE premiere = 'unknown'", first.database));
  await roll(program);
  const after = await migrations();
  await load.end();

  const pages = load.views.filter(({ status }) => status === 200).map(({ at }) => at);
  console.log("\nstep                                            longest without a page, without a form acknowledged");
  for (const { name, begin, end } of steps) {
    console.log(`${name.padEnd(50)} ${longestGap(pages, begin, end).toFixed(2)} s ${longestGap(load.acknowledgements, begin, end).toFixed(2)} s`);
  }
  const { wrong, kept } = await load.compare(cluster);
  console.log(`forms: ${tally(load.ledger.statuses)} (0: broken off); pages: ${tally(load.views.map(({ status }) => status))}\n`);
  for (const sentence of [...wrong, ...load.unsent].slice(0, 20)) console.log(`      ${sentence}`);
  const failed = load.views.filter(({ status }) => status !== 200).length;
  check("no page view failed", failed === 0, `${failed} of ${load.views.length}`);
  check("every acknowledged form is stored once, with the files that were sent", wrong.length === 0 && kept === load.acknowledged, `${load.acknowledged} acknowledged, ${kept} stored`);
  check("every form was acknowledged in the end", load.unsent.length === 0, load.unsent.length);
  check("films of the first version have what the migration adds", written > 0, written);
  check("the way back keeps the newer database", Number(after) === Number(before) + 1, `${before}, then ${after}`);
  await cluster.end();
});
