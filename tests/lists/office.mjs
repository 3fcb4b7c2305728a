// Opens every list that the program exports, as XLSX and as ODS, in LibreOffice and in Gnumeric, and compares each cell
// with the list in JSON: node tests/lists/office.mjs
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Festival } from "../faults/support/program.mjs";
import { check, main } from "../faults/support/report.mjs";

const EDITION = resolve(import.meta.dirname, "../fixtures/2025.toml");
/** Comma, quotation marks, UTF-8, from the first line; each cell as it is shown. */
const CSV_OF_OFFICE = "csv:Text - txt - csv (StarCalc):44,34,76,1";

const programs = { soffice: "libreoffice-calc-nogui", ssconvert: "gnumeric" };
const folder = mkdtempSync(join(tmpdir(), "festival-lists-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const missing = Object.keys(programs).filter((name) => !runs(name));
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(" and ")}. On Debian: apt-get install ${missing.map((name) => programs[name]).join(" ")}`);
  process.exit(2);
}

function runs(name) {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The cells of a CSV file. */
function parse(text) {
  const rows = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  for (let found; cell.lastIndex < text.length && (found = cell.exec(text)); ) {
    rows.at(-1).push(found[1]?.replaceAll('""', '"') ?? found[2]);
    if (found[3] !== ",") rows.push([]);
    else if (cell.lastIndex === text.length) rows.at(-1).push("");
  }
  return rows.filter((row) => row.length > 0);
}

/** The cells of a list as JSON has them; what is empty is "". */
const cells = (list) => list.map((row) => Object.values(row).map((value) => String(value ?? "")));

/** Dates in cells of their own type are shown with a blank, those in JSON and in texts have a T. */
const comparable = (cell) => cell.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)$/, "$1 $2");

/** The first cell that differs; `null` if there is none. Blanks at the end of a row are not compared. */
function difference(rows, expected) {
  if (rows.length !== expected.length) return `${rows.length} rows instead of ${expected.length}`;
  for (const [at, row] of expected.entries()) {
    for (const [column, cell] of row.entries()) {
      const found = rows[at][column] ?? "";
      if (comparable(found) !== comparable(cell)) return `row ${at + 1}, column ${column + 1}: ${JSON.stringify(found)} instead of ${JSON.stringify(cell)}`;
    }
  }
  return null;
}

await main(async () => {
  const festival = await Festival.make({ isEmpty: true });
  await festival.run("seed", EDITION);
  const names = (await festival.run("records", "list")).split("\n").map((line) => line.split(/\s/)[0]).filter(Boolean);
  const lists = names.map((name) => [name, (file) => ["records", "export", name, file]]);
  lists.push(["programme", (file) => ["programme", "export", file]]);
  for (const kind of ["film", "delegate", "contact"]) lists.push([`form-${kind}`, (file) => ["forms", "export", kind, "-o", file]]);
  const exported = lists.map(([name]) => ["xlsx", "ods"].map((format) => join(folder, format, `${name}.${format}`)));
  for (const part of ["xlsx", "ods", "json", "office"]) mkdirSync(join(folder, part));
  for (const [index, [name, command]] of lists.entries()) {
    for (const file of [join(folder, "json", `${name}.json`), ...exported[index]]) await festival.run(...command(file));
  }
  for (const format of ["xlsx", "ods"]) {
    const files = exported.flat().filter((file) => file.endsWith(format));
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    execFileSync("soffice", [profile, "--headless", "--convert-to", CSV_OF_OFFICE, "--outdir", join(folder, "office", format), ...files], {
      stdio: "ignore",
    });
    for (const [index, [name]] of lists.entries()) {
      const json = JSON.parse(readFileSync(join(folder, "json", `${name}.json`), "utf8"));
      const gnumeric = join(folder, `${name}.${format}.csv`);
      execFileSync("ssconvert", [files[index], gnumeric], { stdio: "ignore" });
      for (const [program, csv] of [["LibreOffice", join(folder, "office", format, `${name}.csv`)], ["Gnumeric", gnumeric]]) {
        const [, ...rows] = parse(readFileSync(csv, "utf8"));
        const wrong = difference(rows, cells(json));
        check(`${program} shows all ${json.length} lines of ${name}.${format}`, wrong === null, wrong ?? "");
      }
    }
  }
});
