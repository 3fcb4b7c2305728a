// A temporary Postgres that can be stopped and started: that of tests/support/with-postgres.sh.
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Runs this script again with such a server, unless there is one already. */
export function withPostgres() {
  if (process.env.FESTIVAL_TEST_POSTGRES_CONTROL) return;
  const wrapper = join(import.meta.dirname, "../../support/with-postgres.sh");
  const { FESTIVAL_TEST_POSTGRES: _, ...env } = process.env;
  process.exit(spawnSync(wrapper, [process.execPath, ...process.argv.slice(1)], { stdio: "inherit", env }).status ?? 1);
}

/** Runs `pg_ctl` on it: `control("stop", "-m", "fast")`. */
export function control(...args) {
  return new Promise((done, fail) => {
    // The server inherits the pipes and would keep them open: its output goes to its own log.
    execFile(process.env.FESTIVAL_TEST_POSTGRES_CONTROL, args, (error, out, errors) => (error ? fail(new Error(`pg_ctl ${args[0]}: ${out}${errors}`)) : done()));
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

/** The output of `psql` for a statement: rows as lines, values separated by "|". */
export function query(sql, url = process.env.FESTIVAL_TEST_POSTGRES) {
  return new Promise((done, fail) => {
    execFile("psql", [url, "-Atqc", sql], (error, out, errors) => (error ? fail(new Error(errors)) : done(out.trim())));
  });
}

/** The first process of the server. */
export async function postmaster() {
  return Number(readFileSync(join(await query("SHOW data_directory"), "postmaster.pid"), "utf8").split("\n")[0]);
}
