// How long the import and export of 100,000 films take, compared with other ways to load such a list into the tables:
// `make bench` runs it; alone: node tests/bench/imports.mjs. On SQLite, and on Postgres where FESTIVAL_TEST_POSTGRES
// names an empty database. Needs python3; without pandas or sqlite3 their lines are left out.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Festival, pause, program } from "../faults/support/program.mjs";

const FILMS = 100_000;
const SECTIONS = 20;
const MEMBERS = 10_000;

/** A list of films as festivals write them. */
export function filmList() {
  const lines = ["Title,Original Title,Director(s),Country,Year,Duration,Language,Section,Synopsis"];
  for (let i = 0; i < FILMS; i++) {
    lines.push(`Film ${i},ചിത്രം ${i},Director ${i % 997},India,${1950 + (i % 76)},1h ${i % 60}m,Malayalam,Section ${i % SECTIONS},A ferryman carries the last reel of a lost film across the backwaters.`);
  }
  return lines.join("\r\n");
}

/** Runs a command and prints its seconds and peak memory. */
const MEASURE = `
import json, resource, subprocess, sys, time
begin = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
seconds = time.perf_counter() - begin
if code.returncode:
    sys.exit(code.stderr.decode())
print(json.dumps({"seconds": seconds, "megabytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024}))
`;

export function measured(command, args, env) {
  return JSON.parse(execFileSync("python3", ["-c", MEASURE, command, ...args], { env, encoding: "utf8" }));
}

export const has = (command, args) => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** Prints a line of the table, with the seconds of its yardstick, if it has one. */
export function line(name, { seconds, megabytes }, unit) {
  const ratio = unit ? `${(seconds / unit).toFixed(2)} x` : "";
  console.log(`${name.padEnd(46)}${seconds.toFixed(2).padStart(9)} s${ratio.padStart(10)}${megabytes.toFixed(0).padStart(8)} MB`);
}

/** A list of the team, for the generic importer. */
function teamList() {
  const lines = ["Role,Name,Designation"];
  for (let i = 0; i < MEMBERS; i++) lines.push(`members,Member ${i},Volunteer of hall ${i % 9}`);
  return lines.join("\r\n");
}

/** Other ways to load the list into the tables of `site`, and to export it; returns their seconds for comparison. */
function others(site, folder, list) {
  const copy = (name) => {
    copyFileSync(join(site.data, "festival.db"), join(folder, name));
    return join(folder, name);
  };
  const script = (name) => join(import.meta.dirname, name);
  const executemany = measured("python3", [script("executemany.py"), copy("executemany.db"), list]);
  line("executemany, with sections and history", executemany, executemany.seconds);
  const units = { import: executemany.seconds };
  if (has("python3", ["-c", "import pandas, openpyxl"])) {
    line("pandas, without sections and history", measured("python3", [script("pandas_import.py"), copy("pandas.db"), list]), executemany.seconds);
    for (const format of ["csv", "xlsx"]) {
      const args = [script("pandas_export.py"), join(folder, "executemany.db"), join(folder, `pandas.${format}`)];
      const exported = measured("python3", args);
      line(`pandas, export as ${format.toUpperCase()}`, exported, exported.seconds);
      units[format] = exported.seconds;
    }
  } else {
    console.log("pandas was not measured: it is not installed (python3 -m pip install pandas openpyxl)");
  }
  if (has("sqlite3", ["--version"])) {
    line("sqlite3 .import, one table of texts", measured("sqlite3", [copy("import.db"), "-cmd", ".mode csv", `.import ${list} list`]), executemany.seconds);
  } else {
    console.log("sqlite3 .import was not measured: it is not installed (Debian: apt-get install sqlite3)");
  }
  return units;
}

/** The longest wait for a page and for a form while `work` is under way, in milliseconds. */
async function waits(festival, work) {
  // The first page after a start takes longer, import or not.
  await festival.get("/films");
  const longest = { page: 0, form: 0 };
  let count = 0;
  let isOver = false;
  const ask = async (kind, path, options) => {
    while (!isOver) {
      const begin = performance.now();
      let answer;
      // A client that is asked to retry does so, as the site's own forms do.
      do {
        answer = await fetch(festival.url + path, options?.());
        await answer.arrayBuffer();
        if (answer.status === 503) await pause(1000 * Number(answer.headers.get("retry-after")));
      } while (answer.status === 503);
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      longest[kind] = Math.max(longest[kind], performance.now() - begin);
      count++;
      await pause(5);
    }
  };
  const message = () => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Sender", email: "sender@example.org", contact: "+91 484 000 0000", message: `A message ${count}` }),
  });
  const asking = Promise.all([ask("page", "/films"), ask("form", "/api/contact/", message)]);
  try {
    await work();
  } finally {
    isOver = true;
    await asking;
  }
  return { ...longest, count };
}

async function measureFestival(name, database, { list, team }, units) {
  const festival = await Festival.make({ database });
  const step = (name, unit, ...args) => line(name, measured(program, args, festival.environment), unit);
  try {
    console.log(`\n${name}`);
    step("festival films import, all new", units.import, "films", "import", list);
    step("festival films import, all unchanged", units.import, "films", "import", list);
    for (const format of ["csv", "xlsx"]) {
      step(`festival films export, ${format.toUpperCase()}`, units[format], "films", "export", join(festival.data, `films.${format}`));
    }
    for (const what of ["new", "unchanged"]) {
      step(`festival records import, ${MEMBERS} of the team, ${what}`, undefined, "records", "import", "team-members", team);
    }
    await festival.run("editions", "new", "2090", "--first-day", "2090-10-24", "--last-day", "2090-10-31");
    await festival.start();
    const films = ["films", "import", list, "--edition", "2090"];
    // The second import was the list of the team: imports without changes wrote nothing.
    const works = { "a dry run": [...films, "--dry-run"], "an import": films, [`an undo of ${MEMBERS} rows`]: ["imports", "undo", "2", "--yes"] };
    for (const [text, args] of Object.entries(works)) {
      const work = () => festival.run(...args);
      const { page, form, count } = await waits(festival, work);
      console.log(`longest wait during ${text}: ${page.toFixed(0)} ms for a page, ${form.toFixed(0)} ms for a form (${count} requests)`);
    }
  } finally {
    await festival.end();
  }
}

export async function imports() {
  const folder = mkdtempSync(join(tmpdir(), "festival-imports-"));
  const list = join(folder, "films.csv");
  writeFileSync(list, filmList());
  const team = join(folder, "team.csv");
  writeFileSync(team, teamList());
  try {
    const site = await Festival.make();
    console.log(`\n${FILMS} films: seconds, beside executemany, most memory`);
    const units = others(site, folder, list);
    await site.end();
    await measureFestival("SQLite", undefined, { list, team }, units);
    const url = process.env.FESTIVAL_TEST_POSTGRES;
    if (url) await measureFestival("Postgres", url, { list, team }, units);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await imports();
