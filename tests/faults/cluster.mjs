// A site on two instances, Postgres, a bucket and nginx: each part is killed, stopped and restarted while forms with files
// are sent through the proxy and pages are read: node tests/faults/cluster.mjs [--minutes 2] [--connections 8]
// Nothing acknowledged may be lost, no reference given twice, no mail lost, no page view failed except those that a
// killed nginx was answering. A mail that was accepted by the mail server just before its sender was killed is sent
// again with the same Message-ID: nobody can know. Everything stays on 127.0.0.1.
import { Cluster, LEFT_OUT, stopFor } from "./support/cluster.mjs";
import { Load, longestGap } from "./support/load.mjs";
import { control, postmaster, query, withPostgres } from "./support/postgres.mjs";
import { pause, program } from "./support/program.mjs";
import { check, count, main, repeated, tally } from "./support/report.mjs";

withPostgres();
const minutes = count("minutes", Number(process.env.MINUTES ?? 2));
const connections = count("connections", 8);
/** Acknowledged forms between two faults. */
const BETWEEN = 8;
/** How long a stopped part stays stopped, in ms: shorter than a lease of a mail, longer than a client's patience with one request. */
const PAUSED = 4000;
/** How long a claimed mail is reserved for the instance that claimed it, in ms. */
const LEASE = 10 * 60_000;

/** Kills, stops and restarts an instance. It works again when nginx sends requests to it again. */
const instance = (number) => ({
  async killed({ servers }) {
    await servers[number].kill();
    await servers[number].start();
    await pause(LEFT_OUT);
  },
  stopped: ({ servers }) => stopFor(servers[number].child.pid, PAUSED),
  async restarted({ servers }) {
    await servers[number].kill("SIGTERM");
    await servers[number].start();
    await pause(LEFT_OUT);
  },
});

/** The faults of each part; each returns when the part works again. */
const PARTS = {
  "instance A": instance(0),
  "S3 server": {
    async killed({ store }) {
      await store.kill();
      await pause(500);
      await store.start();
    },
    stopped: ({ store }) => stopFor(store.child.pid, PAUSED),
    async restarted({ store }) {
      await store.kill("SIGTERM");
      await store.start();
    },
  },
  "instance B": instance(1),
  Postgres: {
    async killed() {
      await control("stop", "-m", "immediate");
      await pause(500);
      await control("start");
    },
    stopped: async () => stopFor(await postmaster(), PAUSED),
    restarted: () => control("restart", "-m", "fast"),
  },
  nginx: {
    killed: async (cluster) => cluster.killProxyWorkers(),
    stopped: ({ proxy }) => stopFor(proxy.child.pid, PAUSED),
    restarted: async ({ proxy }) => proxy.child.kill("SIGHUP"),
  },
};
/** Each part in turn, so that faults of different parts follow each other closely. */
const FAULTS = ["killed", "stopped", "restarted"].flatMap((how) => Object.keys(PARTS).map((part) => ({ part, how, name: `${part} ${how}` })));

/**
 * Waits until no mail is waiting, and returns those that still are. A mail that an instance was sending when it was killed
 * waits for the end of its lease, ten minutes; these minutes are skipped.
 */
async function mailsSent(cluster) {
  const [server] = cluster.servers;
  const count = async (condition) => Number(await query(`SELECT count(*) FROM outbox WHERE sent_at IS NULL AND ${condition}`, server.database));
  const until = performance.now() + 120_000;
  let leased = 0;
  while (performance.now() < until && (await count("true")) > 0) {
    await server.run("mail", "retry", "--all");
    await pause(500);
    // A lease that began half a minute ago is that of a killed process: an attempt takes milliseconds here.
    const old = new Date(Date.now() + LEASE - 30_000).toISOString();
    const ended = `UPDATE outbox SET not_before = created_at WHERE sent_at IS NULL AND claim IS NOT NULL AND not_before < '${old}' AND not_before > created_at RETURNING 1`;
    leased += Number(await query(`WITH ended AS (${ended}) SELECT count(*) FROM ended`, server.database));
  }
  return { waiting: (await server.run("mail", "list")).trim(), leased };
}

/** The effects of each fault on visitors. */
function noticed(load, done) {
  const pages = load.views.filter(({ status }) => status === 200).map(({ at }) => at);
  return FAULTS.map(({ part, how, name }) => {
    const times = done.filter((fault) => fault.name === name);
    const failed = times.flatMap(({ begin, end }) => load.views.filter(({ status, at }) => status !== 200 && at >= begin && at < end));
    const worst = (at) => Math.max(...times.map(({ begin, end }) => longestGap(at, begin, end)));
    return { name, part, how, times: times.length, failed: failed.map(({ status }) => status), page: worst(pages), form: worst(load.acknowledgements) };
  });
}

await main(async () => {
  const cluster = await Cluster.start();
  console.log(`${program}\ntwo instances, ${connections} connections that send, 2 that read, for ${minutes} minutes\n`);
  const load = new Load(cluster.url, connections);
  const until = performance.now() + minutes * 60_000;
  const done = [];
  for (let at = 0; performance.now() < until || at < FAULTS.length; at++) {
    const { part, how, name } = FAULTS[at % FAULTS.length];
    const begin = performance.now();
    await PARTS[part][how](cluster);
    // The site recovers by itself: forms are acknowledged again before the next fault.
    if (!(await load.more(BETWEEN))) check(`forms are acknowledged again after: ${name}`, false);
    done.push({ part, how, name, begin, end: performance.now() });
  }
  await load.end();
  const { ledger, unsent } = load;
  const table = noticed(load, done);
  console.log("fault, how often                longest without a page, without a form acknowledged; page views that failed");
  for (const { name, times, failed, page, form } of table) {
    console.log(`${name.padEnd(24)} x ${String(times).padEnd(3)} ${page.toFixed(1).padStart(5)} s ${form.toFixed(1).padStart(5)} s  ${failed.length ? tally(failed) : ""}`);
  }
  const { wrong, compared, kept, orphans, references } = await load.compare(cluster);
  const { waiting, leased } = await mailsSent(cluster);
  const ids = cluster.mail.mails.map(({ id }) => id);
  const doubled = repeated(ids).length;
  console.log(`\nforms: ${tally(ledger.statuses)} (0: broken off); sent again: ${load.retried}; pages: ${tally(load.views.map(({ status }) => status))}`);
  console.log(`faults: ${done.length}; files compared by hash: ${compared}; objects without a row, for the sweep: ${orphans}; mails: ${ids.length}, waited for a lease: ${leased}, sent twice: ${doubled}`);
  for (const sentence of wrong.slice(0, 20)) console.log(`      ${sentence}`);
  check("every acknowledged form is stored once, with the files that were sent", wrong.length === 0 && kept === ledger.acknowledged.size, `${ledger.acknowledged.size} acknowledged, ${kept} stored`);
  for (const sentence of unsent.slice(0, 10)) console.log(`      ${sentence}`);
  check("every form was acknowledged in the end", unsent.length === 0, unsent.length);
  check("references are unique", new Set(references).size === references.length, references.length);
  check("every mail was sent", waiting === "" && new Set(ids).size >= ledger.acknowledged.size, waiting || `${new Set(ids).size} different ones`);
  const failed = table.filter(({ name, failed }) => name !== "nginx killed" && failed.length > 0).map(({ name, failed }) => `${name}: ${tally(failed)}`);
  check("no page view failed, but while nginx was killed", failed.length === 0, failed.join("; "));
  const kills = done.filter(({ part, how }) => part.startsWith("instance") && how === "killed").length;
  check("no mail was sent twice but one for each killed instance, with the same Message-ID", doubled <= kills, `${doubled}, ${kills} killed`);
  const ready = await Promise.all(cluster.servers.map((server) => server.get("/readyz")));
  check("both instances are ready", ready.every((status) => status === 200), ready.join());
  await cluster.end();
});
