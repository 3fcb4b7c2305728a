// What other programs make of the lists that festival writes, and festival of the lists that they write, with the real
// programs: node tests/lists/office.mjs. Libraries are installed in a temporary folder.
//
// - Each exported list, as XLSX and as ODS, is opened by all readers, and each cell compared with the list in JSON.
// - Each bank's statement is written by all writers, and by LibreOffice as XLS, and read as the same lines.
// - Each list in LISTS is written by all writers and imported; the values that are expected then are written out below.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { send } from "../faults/support/forms.mjs";
import { draw } from "../faults/support/ledger.mjs";
import { Festival } from "../faults/support/program.mjs";
import { check, main } from "../faults/support/report.mjs";
import { BANKS, EXPECTED, statement } from "./statements.mjs";

const EDITION = resolve(import.meta.dirname, "../fixtures/2025.toml");
const TABLES = join(import.meta.dirname, "tables.py");
/** Comma, quotation marks, UTF-8, from the first line; each cell as it is shown. */
const CSV_OF_OFFICE = "csv:Text - txt - csv (StarCalc):44,34,76,1";
const PYTHON = [
  ...["openpyxl==3.1.5", "XlsxWriter==3.3.1", "pandas==3.1.1", "polars==2.1.0", "fastexcel==0.21.0", "odfpy==1.4.1", "pyexcel-ods3==0.6.1"],
  ...["python-calamine==0.9.1", "duckdb==1.5.5", "duckdb-extensions==1.5.5", "duckdb-extension-excel==1.5.5"],
];
const NODE = ["xlsx@0.18.5", "exceljs@4.4.0"];
const programs = { soffice: "libreoffice-calc-nogui", ssconvert: "gnumeric", python3: "python3-venv" };

const folder = mkdtempSync(join(tmpdir(), "festival-lists-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const require = createRequire(`${folder}/`);
// Times of lists have no zone, and some libraries give them the one of the machine.
process.env.TZ = "UTC";

const date = (text) => ({ date: text });
const time = (text) => ({ time: text });
const moment = (text) => ({ moment: text });
const minutes = (number) => ({ minutes: number });

/** Lists as people have them: how they are imported and exported, their cells, and the values that are stored then. */
const LISTS = {
  films: {
    import: ["films", "import"],
    export: ["films", "export"],
    rows: [
      ["Title", "Director", "Section", "Country", "Year", "Duration", "Synopsis", "Reference"],
      ["Salt Wind", "Uma Rao and Ravi Nair", "Panorama", "IN, FR", 2025, minutes(92), "Two lines:\nof text", "007"],
      ["കടൽ", "M/s. Green Chillies", "Panorama", "India", 2024, minutes(215), '"A & B" <i>', "F-2"],
    ],
    fields: ["name", "director_name", "category", "country", "year", "duration_minutes", "synopsis", "reference"],
    expected: [
      ["Salt Wind", "Uma Rao, Ravi Nair", "Panorama", "India, France", 2025, 92, "Two lines:\nof text", "007"],
      ["കടൽ", "M/s. Green Chillies", "Panorama", "India", 2024, 215, '"A & B" <i>', "F-2"],
    ],
  },
  programme: {
    import: ["programme", "import"],
    export: ["programme", "export"],
    rows: [
      ["Film", "Venue", "Date", "Time", "Duration", "Code"],
      ["Alpha", "Hall A", date("2025-10-26"), time("18:30"), minutes(92), "001"],
      ["Beta", "Hall B", date("2025-10-27"), time("09:05"), minutes(45), "002"],
      ["Alpha", "Hall B", date("2025-10-27"), time("00:20"), minutes(120), "003"],
    ],
    fields: ["film", "hall", "date", "time", "minutes", "code"],
    expected: [
      ["Alpha", "Hall A", "2025-10-26", "18:30", 92, "001"],
      ["Beta", "Hall B", "2025-10-27", "09:05", 45, "002"],
      ["Alpha", "Hall B", "2025-10-27", "00:20", 120, "003"],
    ],
  },
  halls: {
    rows: [
      ["Name", "Venue", "Capacity", "Wheelchair seats", "Closing time"],
      ["Hall C", "Main Road 1, 686508", 640, 8, time("00:30")],
      ["Hall D", "Jetty", 85, null, time("23:00")],
    ],
    fields: ["name", "venue", "capacity", "wheelchair_seats", "closing_time"],
    expected: [
      ["Hall C", "Main Road 1, 686508", 640, 8, "00:30"],
      ["Hall D", "Jetty", 85, null, "23:00"],
    ],
  },
  guests: {
    rows: [
      ["Guest", "Role", "Position", "Published"],
      ["Ngũgĩ wa Thiong'o", "Writer, Kenya", 20, "yes"],
      ["രേവതി", "Director", 30, "no"],
    ],
    fields: ["name", "role", "position", "is_published"],
    expected: [
      ["Ngũgĩ wa Thiong'o", "Writer, Kenya", 20, "yes"],
      ["രേവതി", "Director", 30, "no"],
    ],
  },
  "team-members": {
    rows: [
      ["Name", "Role", "Note"],
      ["Dr. Biju", "Festival Director", "+91 98470 12345"],
      ["Asha Menon", "Chairman", "=not a formula"],
    ],
    fields: ["name", "role", "note"],
    expected: [
      ["Dr. Biju", "festival-directors", "+91 98470 12345"],
      ["Asha Menon", "chairman", "=not a formula"],
    ],
  },
  blogs: {
    rows: [
      ["Title", "Text", "Published at"],
      ["Why we print", "<p>One & two</p>", moment("2025-10-20T18:30:00")],
      ["Tickets", "<p>Three</p>", moment("2025-10-21T09:00:00")],
    ],
    fields: ["title", "content", "published_at"],
    expected: [
      ["Why we print", "<p>One &amp; two</p>", "2025-10-20T18:30:00"],
      ["Tickets", "<p>Three</p>", "2025-10-21T09:00:00"],
    ],
  },
};

/** Programs that write a list: `write(rows, file)`. */
const WRITERS = [
  ...["openpyxl", "xlsxwriter", "pandas", "polars"].map((name) => [name, "xlsx", inPython(name)]),
  ...["odfpy", "pyexcel", "pandas"].map((name) => [name, "ods", inPython(name)]),
  ["SheetJS", "xlsx", withSheetJs({})],
  ["SheetJS with ISO dates", "xlsx", withSheetJs({ cellDates: true })],
  ["SheetJS", "ods", withSheetJs({})],
  ["exceljs", "xlsx", withExcelJs],
  ...["xlsx", "ods"].flatMap((format) => [
    ["LibreOffice", format, saving((from, to) => convert([from], to))],
    ["Gnumeric", format, saving((from, to) => execFileSync("ssconvert", [from, to], { stdio: "ignore" }))],
  ]),
];

function inPython(name) {
  return (rows, file) => python(["write", name, file], JSON.stringify(rows));
}

function python(options, input = "") {
  return execFileSync(join(folder, "venv/bin/python"), ["-W", "ignore", TABLES, ...options], { input, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** A cell as JavaScript has it: a time of day is on the first day that a workbook counts, a length a part of a day. */
function typed(cell) {
  if (cell === null || typeof cell !== "object") return cell;
  if (cell.minutes) return cell.minutes / 1440;
  return new Date(`${cell.moment ?? `${cell.date ?? "1899-12-30"}T${cell.time ?? "00:00"}`}Z`);
}

function withSheetJs(options) {
  return (rows, file) => {
    const { utils, writeFile } = require("xlsx");
    const format = (cell) => (cell.minutes ? "[h]:mm:ss" : cell.time ? "hh:mm" : cell.date ? "dd/mm/yyyy" : "dd/mm/yyyy hh:mm");
    const sheet = utils.aoa_to_sheet(rows.map((row) => row.map(typed)), { ...options, UTC: true });
    for (const [line, row] of rows.entries())
      for (const [column, cell] of row.entries())
        if (cell !== null && typeof cell === "object") sheet[utils.encode_cell({ r: line, c: column })].z = format(cell);
    writeFile({ SheetNames: ["Sheet"], Sheets: { Sheet: sheet } }, file, options);
  };
}

async function withExcelJs(rows, file) {
  const book = new (require("exceljs").Workbook)();
  const sheet = book.addWorksheet("Sheet");
  for (const row of rows) {
    const line = sheet.addRow(row.map(typed));
    for (const [column, cell] of row.entries()) if (cell?.minutes || cell?.time) line.getCell(column + 1).numFmt = cell.minutes ? "[h]:mm:ss" : "hh:mm";
  }
  await book.xlsx.writeFile(file);
}

/** A program that opens a workbook and saves it. */
function saving(save) {
  return (rows, file) => {
    const from = join(folder, "opened.xlsx");
    inPython("openpyxl")(rows, from);
    save(from, file);
  };
}

/** Converts files with LibreOffice: to `target`, or into the folder `outdir`. */
function convert(files, target, { filter = target.split(".").at(-1), outdir } = {}) {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const to = outdir ?? join(folder, "converted");
  execFileSync("soffice", [profile, "--headless", "--convert-to", filter, "--outdir", to, ...files], { stdio: "ignore" });
  if (!outdir) cpSync(join(to, files[0].split("/").at(-1).replace(/\.\w+$/, `.${filter}`)), target);
}

/** Programs that open a list: `read(files)` returns the cells of each. */
const READERS = {
  LibreOffice: (files) => {
    const outdir = mkdtempSync(join(folder, "office-"));
    convert(files, "", { filter: CSV_OF_OFFICE, outdir });
    return files.map((file) => parse(readFileSync(join(outdir, file.split("/").at(-1).replace(/\.\w+$/, ".csv")), "utf8")));
  },
  Gnumeric: (files) =>
    files.map((file) => {
      execFileSync("ssconvert", [file, `${file}.csv`], { stdio: "ignore" });
      return parse(readFileSync(`${file}.csv`, "utf8"));
    }),
  ...Object.fromEntries(["openpyxl", "pandas", "polars", "calamine", "duckdb"].map((name) => [name, (files) => Object.values(JSON.parse(python(["read", name, ...files])))])),
  SheetJS: (files) =>
    files.map((file) => {
      const { Sheets, SheetNames } = require("xlsx").readFile(file);
      return require("xlsx").utils.sheet_to_json(Sheets[SheetNames[0]], { header: 1, raw: false, defval: "" });
    }),
  exceljs: async (files) => {
    const read = [];
    for (const file of files) {
      const book = await new (require("exceljs").Workbook)().xlsx.readFile(file);
      const text = (cell) => (cell instanceof Date ? cell.toISOString().slice(0, 19) : String(cell ?? ""));
      read.push(book.worksheets[0].getSheetValues().slice(1).map((row) => Array.from(row).slice(1).map(text)));
    }
    return read;
  },
};
/** What opens workbooks only. */
const ONLY_XLSX = ["openpyxl", "duckdb", "exceljs"];

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

/** Moments of forms are in UTC in JSON, and in the festival's time, to the second, in the cells of a workbook. */
const local = (cell) =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell) ? new Date(Date.parse(cell) + 5.5 * 3_600_000).toISOString().slice(0, 19) : cell;

/** Dates in cells of their own type are shown with a blank, by Gnumeric with slashes, those in JSON and in texts with a T. */
const comparable = (cell) => cell.replace(/^(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d)$/, "$1-$2-$3 $4");

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

function install() {
  const missing = Object.keys(programs).filter((name) => !runs(name));
  if (missing.length > 0) {
    console.error(`Missing: ${missing.join(" and ")}. On Debian: apt-get install ${missing.map((name) => programs[name]).join(" ")}`);
    process.exit(2);
  }
  execFileSync("python3", ["-m", "venv", join(folder, "venv")]);
  execFileSync(join(folder, "venv/bin/pip"), ["install", "--quiet", "--disable-pip-version-check", ...PYTHON]);
  execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", ...NODE], { stdio: "ignore" });
}

function runs(name) {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function exportsOpenEverywhere() {
  const festival = await Festival.make({ isEmpty: true });
  await festival.run("seed", EDITION);
  const delegate = draw(() => 600, "delegate");
  await festival.start();
  const answer = await send(festival.url, "delegate", delegate);
  check("a delegate is registered", answer.status === 201, JSON.stringify(answer.body));
  const demonstration = await Festival.make({ isEmpty: true });
  await demonstration.run("seed", "--demo");
  const names = (await festival.run("records", "list")).split("\n").map((line) => line.split(/\s/)[0]).filter(Boolean);
  const lists = names.map((name) => [name, (file) => ["records", "export", name, file]]);
  lists.push(["programme", (file) => ["programme", "export", file]]);
  lists.push(["form-film", (file) => ["forms", "export", "film", "-o", file], demonstration]);
  lists.push(["form-delegate", (file) => ["forms", "export", "delegate", "-o", file]]);
  for (const part of ["xlsx", "ods", "json"]) mkdirSync(join(folder, part));
  const path = (name, format) => join(folder, format, `${name}.${format}`);
  for (const [name, command, site = festival] of lists)
    for (const format of ["json", "xlsx", "ods"]) await site.run(...command(path(name, format)));
  for (const format of ["xlsx", "ods"]) {
    for (const [program, read] of Object.entries(READERS)) {
      if (format === "ods" && ONLY_XLSX.includes(program)) continue;
      const tables = await read(lists.map(([name]) => path(name, format)));
      for (const [index, [name]] of lists.entries()) {
        const json = JSON.parse(readFileSync(path(name, "json"), "utf8"));
        // SheetJS shows a tab of an ODS as a blank.
        const shown = (cell) => (program === "SheetJS" && format === "ods" ? cell.replaceAll("\t", " ") : cell);
        const expected = cells(json).map((row) => row.map((cell) => shown(local(cell))));
        const wrong = difference(tables[index].slice(1).filter((row) => row.length > 0), expected);
        check(`${program} shows all ${json.length} lines of ${name}.${format}`, wrong === null, wrong ?? "");
      }
    }
  }
  await festival.end();
  await demonstration.end();
}

async function listsOfAllWritersAreRead() {
  const festival = await Festival.make();
  const csv = (name, text) => (writeFileSync(join(folder, name), text), join(folder, name));
  await festival.run("films", "import", csv("films.csv", "Title,Director,Section\nAlpha,Some One,Mix\nBeta,Some Two,Mix\n"));
  await festival.run("records", "import", "halls", csv("halls.csv", "Name\nHall A\nHall B\n"));
  for (const [name, list] of Object.entries(LISTS)) {
    for (const [program, format, write] of WRITERS) {
      const file = join(folder, `list.${format}`);
      await write(list.rows, file);
      const data = mkdtempSync(join(folder, "site-"));
      cpSync(festival.data, data, { recursive: true });
      const site = await Festival.make({ data, isEmpty: true });
      const imported = await site.attempt(...(list.import ?? ["records", "import", name]), file);
      const json = join(data, "list.json");
      await site.run(...(list.export ?? ["records", "export", name]), json);
      const first = list.fields[0];
      const wanted = (row) => list.expected.some((expected) => expected[0] === row[first]);
      const rows = JSON.parse(readFileSync(json, "utf8")).filter(wanted).map((row) => list.fields.map((field) => row[field]));
      const [seen, expected] = [rows, list.expected].map((rows) => rows.map((row) => JSON.stringify(row)).sort());
      const wrong = expected.find((row, index) => row !== seen[index]);
      const found = wrong && `${wrong} is ${seen[expected.indexOf(wrong)] ?? `missing: ${imported.out}${imported.errors}`}`;
      check(`${name} of ${program} in ${format.toUpperCase()}`, !wrong && seen.length === expected.length, found ?? "");
      rmSync(data, { recursive: true });
    }
  }
  await festival.end();
}

/** The same lines of each bank's statement, whichever program wrote it. */
async function statementsOfAllWritersAreRead() {
  const festival = await Festival.make();
  // Libraries of tables have no lines above the header.
  const writers = WRITERS.filter(([program]) => program !== "pandas" && program !== "polars");
  writers.push(["LibreOffice", "xls", saving((from, to) => convert([from], to))]);
  for (const bank of Object.keys(BANKS)) {
    for (const [program, format, write] of writers) {
      const file = join(folder, `statement.${format}`);
      await write(statement(bank), file);
      const report = join(folder, "report.json");
      const { out, errors } = await festival.attempt("payments", "import", file, "--dry-run", "--report", report, "--force");
      const lines = JSON.parse(readFileSync(report, "utf8")).map(({ day, amount, narration }) => [day, amount, narration]);
      const isSame = JSON.stringify(lines) === JSON.stringify(EXPECTED);
      check(`statement of ${bank}, of ${program} in ${format.toUpperCase()}`, isSame, isSame ? "" : `${JSON.stringify(lines)} ${out}${errors}`);
      rmSync(report);
    }
  }
  await festival.end();
}

await main(async () => {
  install();
  await statementsOfAllWritersAreRead();
  await listsOfAllWritersAreRead();
  await exportsOpenEverywhere();
});
