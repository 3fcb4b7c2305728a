// Checks by system calls that a submission is on disk before it is acknowledged: node tests/faults/fsync.mjs.
// Killing the program cannot show that. Needs strace (Debian: apt-get install strace); SQLite.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Ledger, draw, small } from "./support/ledger.mjs";
import { Festival, program } from "./support/program.mjs";
import { check, main, requirePackage, runs } from "./support/report.mjs";

const CALLS = "fsync,fdatasync,rename,renameat,renameat2,write,writev,pwrite64,sendto,sendmsg";

/**
 * The calls in the order in which they ended, as `{name, text, began, ended}`, with line numbers of the trace. A call
 * that another thread interrupts takes two lines.
 */
function callsOf(trace) {
  const begun = new Map();
  const calls = [];
  trace.split("\n").forEach((line, at) => {
    const [, thread, rest] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (!rest) return;
    const resumed = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest);
    const text = resumed ? (begun.get(thread)?.text ?? "") + resumed[2] : rest;
    const began = resumed ? (begun.get(thread)?.at ?? at) : at;
    if (rest.endsWith("<unfinished ...>")) return begun.set(thread, { text: rest.replace(" <unfinished ...>", ""), at });
    if (!/ = -1 /.test(text)) calls.push({ name: /^(\w+)/.exec(text)?.[1], text, began, ended: at });
  });
  return calls;
}

requirePackage("strace", () => runs("strace", "-V"));

await main(async () => {
  console.log(program);
  const scratch = mkdtempSync(join(tmpdir(), "festival-fsync-"));
  const festival = await Festival.make();
  await festival.start();
  const ledger = new Ledger();
  await ledger.send(festival.url, draw(small, "film"));

  const out = join(scratch, "trace");
  const tracer = spawn("strace", ["-f", "-yy", "-s", "64", "-e", `trace=${CALLS}`, "-o", out, "-p", String(festival.child.pid)], { stdio: ["ignore", "ignore", "pipe"] });
  await new Promise((done, fail) => {
    tracer.stderr.setEncoding("utf8").on("data", (text) => /attached/.test(text) && done());
    tracer.once("exit", (code) => fail(new Error(`strace ended with ${code}; may it trace other processes here?`)));
  });
  const before = new Set((await festival.files()).kept.map(({ path }) => path));
  const { status } = await ledger.send(festival.url, draw(small, "film"));
  tracer.removeAllListeners("exit");
  tracer.kill("SIGINT");
  await new Promise((done) => tracer.once("exit", done));
  const kept = (await festival.files()).kept.map(({ path }) => path).filter((path) => !before.has(path));
  await festival.end();

  const calls = callsOf(readFileSync(out, "utf8"));
  rmSync(scratch, { recursive: true });
  const answer = calls.find(({ name, text }) => /^(write|writev|sendto|sendmsg)$/.test(name) && /<TCP:/.test(text) && text.includes('"HTTP/1.1 201'));
  check("the submission is accepted with six files", status === 201 && kept.length === 6, `${status}, ${kept.length} files`);
  if (!check("the trace contains the response", Boolean(answer), `${calls.length} calls`)) return;
  const is = (path, ...names) => ({ name, text }) => names.includes(name) && text.includes(`<${path}>`);
  const wal = join(festival.data, "festival.db-wal");
  const late = [];
  let filesSynced = 0;
  for (const path of kept) {
    const renamed = calls.find(({ name, text }) => name.startsWith("rename") && text.includes(`"${path}"`));
    const staged = /"([^"]+)"/.exec(renamed?.text ?? "")?.[1] ?? "nothing";
    const synced = calls.find((call) => is(staged, "fsync", "fdatasync")(call) && call.ended < (renamed?.began ?? 0));
    const folder = calls.find((call) => is(dirname(path), "fsync")(call) && call.began > (renamed?.ended ?? Infinity));
    const steps = { "its bytes": synced, "its name": renamed, "its folder": folder };
    for (const [step, call] of Object.entries(steps)) if (!call) late.push(`${path}: ${step} is never synced`);
    filesSynced = Math.max(filesSynced, folder?.ended ?? 0);
  }
  // Writes to the database's log after the last file was complete, and their sync.
  const written = calls.find((call) => is(wal, "pwrite64", "write")(call) && call.began > filesSynced && call.ended < answer.began);
  const committed = calls.filter((call) => is(wal, "fdatasync", "fsync")(call) && written && call.began > written.ended && call.ended < answer.began).at(-1);
  check("each file's bytes, name and folder are on disk before the row", late.length === 0 && Boolean(written), late.join("; ") || `${kept.length} files`);
  check("the row is on disk before the response", Boolean(committed), committed?.text);
});
