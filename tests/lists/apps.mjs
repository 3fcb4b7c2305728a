// Loads the programme of the demonstration festival into ConfClerk, as a visitor does, and compares each screening with the
// API: node tests/lists/apps.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Festival } from "../faults/support/program.mjs";
import { check, main } from "../faults/support/report.mjs";

const packages = { confclerk: "confclerk", "xvfb-run": "xvfb xauth", xdotool: "xdotool", sqlite3: "sqlite3" };
const home = mkdtempSync(join(tmpdir(), "festival-apps-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

const missing = Object.keys(packages).filter((name) => !exists(name));
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(" and ")}. On Debian: apt-get install ${missing.map((name) => packages[name]).join(" ")}`);
  process.exit(2);
}

function exists(name) {
  try {
    execFileSync("bash", ["-c", 'command -v "$1"', "-", name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const DATABASE = join(home, ".local/share/Toastfreeware/ConfClerk/ConfClerk.sqlite");

/** ConfClerk has no command for it: it makes its database, gets an address, and reloads that with Ctrl+R. */
const RELOAD = `
begin() { confclerk & program=$!; until window=$(xdotool search --onlyvisible --pid $program | tail -1) && [ -n "$window" ]; do sleep 0.2; done; }
finish() { kill $program; wait $program || true; }
begin; finish
sqlite3 "$DATABASE" "INSERT INTO conference (title, start, end, active, url) VALUES ('Festival', 0, 0, 1, '$ADDRESS')"
begin
until [ "$(sqlite3 "$DATABASE" 'SELECT count(*) FROM event')" -gt 0 ]; do xdotool windowfocus "$window" key ctrl+r; sleep 1; done
finish`;

function query(sql) {
  return JSON.parse(execFileSync("sqlite3", ["-json", DATABASE, sql], { encoding: "utf8", maxBuffer: 1 << 28 }) || "[]");
}

await main(async () => {
  const festival = await Festival.make({ isEmpty: true });
  await festival.run("seed", "--demo");
  await festival.attempt("programme", "release", "--first", "--sign");
  await festival.start();
  const programme = await (await fetch(`${festival.url}/api/programme/`)).json();
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    QT_QPA_PLATFORM: "xcb",
    DATABASE,
    ADDRESS: `${festival.url}/programme/schedule.xml`,
  };
  execFileSync("xvfb-run", ["-a", "bash", "-c", RELOAD], { env: environment, stdio: "ignore", timeout: 300_000 });
  const held = programme.screenings.filter((screening) => !screening.cancelled);
  const hall = (id) => programme.halls.find((hall) => hall.id === id);
  const expected = held.map((screening) => {
    const { name, venue } = hall(screening.hall);
    const minutes = (Date.parse(screening.ends_at) - Date.parse(screening.starts_at)) / 60_000;
    // A hall that is called as its house stands once.
    const room = venue === name || venue?.startsWith(`${name},`) ? venue : venue ? `${name}, ${venue}` : name;
    return [screening.id, screening.starts_at.slice(0, 16).replace("T", " "), minutes, room, screening.title];
  });
  const events = query(
    "SELECT e.id, strftime('%Y-%m-%d %H:%M', e.start, 'unixepoch') AS start, e.duration / 60 AS minutes, r.name AS room, e.title " +
      "FROM event e JOIN event_room er ON er.xid_event = e.id JOIN room r ON r.id = er.xid_room ORDER BY e.id",
  );
  const byId = (rows) => rows.map((row) => JSON.stringify(row)).sort();
  const [wanted, seen] = [byId(expected), byId(events.map((event) => Object.values(event)))];
  const other = wanted.find((row) => !seen.includes(row)) ?? seen.find((row) => !wanted.includes(row));
  check(`ConfClerk has all ${wanted.length} screenings with their local times`, wanted.length > 0 && !other && wanted.length === seen.length, other);
  const [conference] = query(
    "SELECT date(start, 'unixepoch') AS start, date(end, 'unixepoch') AS end, day_change, utc_offset FROM conference",
  );
  const days = [...new Set(held.map((screening) => screening.day))].sort();
  const right = JSON.stringify({ start: days[0], end: days.at(-1), day_change: 5 * 3600, utc_offset: 5.5 * 3600 });
  check("It begins and ends with the festival, and its day ends at five in the morning", JSON.stringify(conference) === right, JSON.stringify(conference));
  const people = query("SELECT count(DISTINCT name) AS names, count(DISTINCT id) AS ids FROM person")[0];
  check(`Its ${people.names} people are as many numbers`, people.names > 0 && people.names === people.ids, people.ids);
  await festival.end();
});
