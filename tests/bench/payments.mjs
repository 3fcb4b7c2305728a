// How long the import of a bank statement of 5,000 lines takes, beside a script with pandas that reads the same file and
// joins it by number: `make bench` runs it; alone: node tests/bench/payments.mjs. Needs python3; without pandas its line is left out.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { picture } from "../faults/support/files.mjs";
import { FILE_FIELDS, send, texts } from "../faults/support/forms.mjs";
import { Festival, program } from "../faults/support/program.mjs";
import { has, line, measured } from "./imports.mjs";

const LINES = 5_000;
const CLAIMS = 3_000;
/** What the import must reach: times as fast as pandas, seconds, and MB. */
const TARGETS = { ratio: 5, seconds: 2, megabytes: 80 };
const FIRST = ["Asha", "Binu", "Chandra", "Deepa", "Elias", "Faizal", "Geetha", "Hari", "Indu", "Jomon", "Kavitha", "Latha", "Manoj", "Nisha", "Omana"];
const LAST = ["Nair", "Thomas", "Varma", "Pillai", "Menon", "Kurian", "Das", "Iyer", "Mathew", "Rajan", "Babu", "George", "Warrier", "Joseph"];

const nameOf = (number) => `${FIRST[number % FIRST.length]} ${LAST[Math.floor(number / FIRST.length) % LAST.length]}`;
const numberOf = (number) => `5293${String(10_000_019 + number * 7_919).padStart(8, "0")}`;

/** A statement of SBI: a payment for each claim, payments of strangers, and money that went out. */
function statement() {
  const rows = ["Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance"];
  let balance = 100_000;
  for (let number = 0; number < LINES; number++) {
    const [debit, credit] = number % 10 === 9 ? [250, 0] : [0, number < CLAIMS ? 500 : 120];
    balance += credit - debit;
    const text = credit ? `UPI/CR/${numberOf(number)}/${nameOf(number).toUpperCase()}/SBIN/x@oksbi/fee` : `NEFT DR-HDFC0000123-PRINTER ${number}`;
    const day = `${1 + (number % 25)} Oct 2025`;
    rows.push(`${day},${day},${text},,"${debit || ""}","${credit ? `${credit}.00` : ""}","${balance.toLocaleString("en-IN")}.00"`);
  }
  return rows.join("\n");
}

/** Copies the one registration that was sent, with another name and number each. */
function multiply(database) {
  const rows = Array.from({ length: CLAIMS }, (_, number) => [nameOf(number), `UPI ${numberOf(number)}`]);
  const script = `
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
names = [row[1] for row in db.execute("PRAGMA table_info(delegates)") if row[1] != "id"]
changed = {"name": "?1", "transaction_details": "?2", "reference": "t.reference || '-' || ?3", "fingerprint": "?3", "subject_hash": "?3"}
sql = f"INSERT INTO delegates ({', '.join(names)}) SELECT {', '.join(changed.get(name, 't.' + name) for name in names)} FROM delegates t WHERE id = 1"
with db:
    db.executemany(sql, [(*row, number) for number, row in enumerate(json.load(sys.stdin))])
    db.execute("UPDATE delegates SET is_quarantined = 1 WHERE id = 1")
`;
  execFileSync("python3", ["-c", script, database], { input: JSON.stringify(rows), stdio: ["pipe", "inherit", "inherit"] });
}

export async function payments() {
  const folder = mkdtempSync(join(tmpdir(), "festival-payments-"));
  const list = join(folder, "bank.csv");
  writeFileSync(list, statement());
  const festival = await Festival.make();
  try {
    await festival.start();
    const files = Object.fromEntries(FILE_FIELDS.delegate.map((field) => [field, { name: field, bytes: picture(40) }]));
    const { status, body } = await send(festival.url, "delegate", { values: texts("delegate"), files });
    if (status !== 201) throw new Error(`the form got ${status}: ${JSON.stringify(body)}`);
    await festival.kill("SIGTERM");
    multiply(join(festival.data, "festival.db"));
    console.log(`\nA statement of ${LINES} lines, ${CLAIMS} claims: seconds, beside pandas, most memory`);
    let unit;
    if (has("python3", ["-c", "import pandas"])) {
      const copy = join(folder, "pandas.db");
      copyFileSync(join(festival.data, "festival.db"), copy);
      const pandas = measured("python3", [join(import.meta.dirname, "pandas_payments.py"), copy, list]);
      unit = pandas.seconds;
      line("pandas, joined by number", pandas, unit);
    } else {
      console.log("pandas was not measured: it is not installed (python3 -m pip install pandas)");
    }
    const imported = measured(program, ["payments", "import", list], festival.environment);
    line("festival payments import", imported, unit);
    const verified = execFileSync("python3", ["-c", "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(\"SELECT count(*) FROM delegates WHERE payment = 'verified'\").fetchone()[0])", join(festival.data, "festival.db")], { encoding: "utf8" });
    const expected = CLAIMS - CLAIMS / 10;
    if (Number(verified) !== expected) throw new Error(`${verified.trim()} payments were verified, not ${expected}`);
    console.log(`${expected} payments verified (targets: ${TARGETS.ratio} times as fast as pandas, ${TARGETS.seconds} s, ${TARGETS.megabytes} MB)`);
  } finally {
    await festival.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await payments();
