// Checks the structured data of the programme's page against schema.org, as schema-dts declares its types and properties for the
// TypeScript compiler, and against what search engines require of an event: node tests/lists/structured.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Festival } from "../faults/support/program.mjs";
import { check, main } from "../faults/support/report.mjs";

const PACKAGES = ["schema-dts@2.1.0", "typescript@5.9.3"];
const folder = mkdtempSync(join(tmpdir(), "festival-structured-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** The messages of the compiler about a thing, as a value of type `Thing`; empty if there are none. */
function problems(things) {
  const values = things.map((thing, at) => `export const thing${at}: Thing = ${JSON.stringify(thing, null, 1)};`);
  writeFileSync(join(folder, "things.ts"), `import type { Thing } from "schema-dts";\n${values.join("\n")}\n`);
  try {
    execFileSync(join(folder, "node_modules/.bin/tsc"), ["--noEmit", "--strict", "--skipLibCheck", "--moduleResolution", "bundler", "--module", "esnext", "things.ts"], { cwd: folder, encoding: "utf8" });
    return "";
  } catch (error) {
    return error.stdout;
  }
}

/** The objects in a thing, itself included. */
const objects = (value) => (value && typeof value === "object" ? [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objects)] : []);

await main(async () => {
  execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", ...PACKAGES], { stdio: "ignore" });
  const festival = await Festival.make({ isEmpty: true });
  await festival.run("seed", "--demo", "--relative-dates");
  await festival.run("programme", "release");
  await festival.start();
  const html = await (await fetch(`${festival.url}/programme`)).text();
  await festival.end();
  const data = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json]) => JSON.parse(json));
  const things = data.flatMap((one) => one["@graph"] ?? one).map(({ "@context": _, ...thing }) => thing);
  const events = things.filter((thing) => /Event$/.test(thing["@type"]));
  check(`${events.length} screenings are described`, events.length > 0);
  for (const property of ["name", "startDate", "location"]) {
    check(`each has ${property}`, events.every((event) => event[property]));
  }
  check("each location has an address", events.every((event) => event.location.address));
  check("times have an offset", events.every((event) => /[+-]\d\d:\d\d$/.test(event.startDate)));
  check("no property is null", things.flatMap(objects).every((object) => !Object.values(object).includes(null)));
  const wrong = problems(things);
  check(`${things.length} things have the types and properties of schema.org`, wrong === "", wrong.slice(0, 2_000));
  // The check itself finds a property that does not exist.
  check("a property that schema.org does not know is found", problems([{ ...events[0], startsAt: "2025" }]) !== "");
});
