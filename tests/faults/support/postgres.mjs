// A throw-away Postgres that is stopped and started: that of tests/support/with-postgres.sh.
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";

/** Runs this script again with such a server around it, unless there is one already. */
export function withPostgres() {
  if (process.env.FESTIVAL_TEST_POSTGRES_CONTROL) return;
  const wrapper = join(import.meta.dirname, "../../support/with-postgres.sh");
  const { FESTIVAL_TEST_POSTGRES: _, ...env } = process.env;
  process.exit(spawnSync(wrapper, [process.execPath, ...process.argv.slice(1)], { stdio: "inherit", env }).status ?? 1);
}

/** Runs `pg_ctl` on it: `control("stop", "-m", "fast")`. */
export function control(...args) {
  return new Promise((done, fail) => {
    // What the server inherits stays open: its words go to its own log.
    execFile(process.env.FESTIVAL_TEST_POSTGRES_CONTROL, args, (error, out, words) => (error ? fail(new Error(`pg_ctl ${args[0]}: ${out}${words}`)) : done()));
  });
}

/** The address of a new, empty database. */
export async function emptyDatabase() {
  const name = `faults_${process.pid}_${++made}`;
  const url = new URL(process.env.FESTIVAL_TEST_POSTGRES);
  await query(`CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}
let made = 0;

/** What `psql` prints for a statement: rows in lines, values between "|". */
export function query(sql, url = process.env.FESTIVAL_TEST_POSTGRES) {
  return new Promise((done, fail) => {
    execFile("psql", [url, "-Atqc", sql], (error, out, words) => (error ? fail(new Error(words)) : done(out.trim())));
  });
}
