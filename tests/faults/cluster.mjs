// A site on two instances, Postgres, a bucket and nginx: each part is killed, stopped and started again while forms with
// files are sent through the proxy and pages are read: node tests/faults/cluster.mjs [--minutes 2] [--connections 8]
// Nothing acknowledged may be lost, no reference given twice, no mail lost. A mail that was accepted by the mail server just
// before its sender was killed is sent again with the same Message-ID: nobody can know. Everything stays on 127.0.0.1.
import { fileProblems, referenceProblems, rows } from "./support/integrity.mjs";
import { FILE_FIELDS, titleOf } from "./support/forms.mjs";
import { Cluster } from "./support/cluster.mjs";
import { Ledger, draw } from "./support/ledger.mjs";
import { control, query, withPostgres } from "./support/postgres.mjs";
import { pause, program } from "./support/program.mjs";
import { check, count, main, repeated, tally } from "./support/report.mjs";

withPostgres();
const minutes = count("minutes", Number(process.env.MINUTES ?? 2));
const connections = count("connections", 8);
/** Acknowledged forms between two faults. */
const BETWEEN = 8;
/** How long a stopped part stays stopped, in ms: shorter than a lease of a mail, longer than a client's patience with one request. */
const PAUSED = 4000;

/** How long a claimed mail is left to whoever claimed it, in ms. */
const LEASE = 10 * 60_000;
/** How long a form is sent again, in ms. */
const PATIENCE = 30_000;

const ledger = new Ledger();
const running = { on: true };
const pages = [];
let retried = 0;

/** Forms that were never acknowledged, with the last response. */
const unsent = [];

/** Sends forms, each until it is acknowledged, as browsers do. */
async function sender(cluster) {
  while (running.on) {
    const form = draw();
    const until = performance.now() + PATIENCE;
    for (;;) {
      const answer = await ledger.send(cluster.url, form, { timeout: 30_000 });
      if (answer.status === 201) break;
      if (performance.now() > until) {
        unsent.push(`${form.kind}, ${form.key ? "with" : "without"} a key: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
        break;
      }
      retried++;
      await pause(200);
    }
  }
}

/** Reads pages through the proxy. */
async function reader(cluster) {
  for (let at = 0; running.on; at++) {
    const path = ["/", "/films", "/api/site/", "/blogs"][at % 4];
    try {
      const answer = await fetch(cluster.url + path, { signal: AbortSignal.timeout(20_000) });
      await answer.arrayBuffer();
      pages.push(answer.status);
    } catch {
      pages.push(0);
    }
    await pause(20);
  }
}

/** What is done to each part; each ends when the part is started again. */
const FAULTS = {
  async "instance A killed"({ servers }) {
    await servers[0].kill();
    await servers[0].start();
  },
  async "S3 server killed"({ store }) {
    await store.kill();
    await pause(500);
    await store.start();
  },
  async "instance B stopped and continued"({ servers }) {
    servers[1].child.kill("SIGSTOP");
    await pause(PAUSED);
    servers[1].child.kill("SIGCONT");
  },
  async "Postgres killed"() {
    await control("stop", "-m", "immediate");
    await pause(500);
    await control("start");
  },
  async "instance B killed"({ servers }) {
    await servers[1].kill();
    await servers[1].start();
  },
  async "nginx workers killed"(cluster) {
    cluster.killProxyWorkers();
  },
  async "instance A restarted"({ servers }) {
    await servers[0].kill("SIGTERM");
    await servers[0].start();
  },
};

/** Lists what is wrong with rows, files, references. */
async function problems(cluster) {
  const [server] = cluster.servers;
  const all = await rows(server);
  const wrong = referenceProblems(all);
  const there = new Map();
  for (const [kind, list] of Object.entries(all)) {
    const titles = list.map((row) => titleOf(kind, row));
    for (const title of repeated(titles)) wrong.push(`${kind} ${title} exists twice`);
    for (const row of list) there.set(titleOf(kind, row), row.reference);
  }
  for (const [title, { kind, reference }] of ledger.acknowledged) {
    if (there.get(title) !== reference) wrong.push(`LOST: ${kind} ${reference}, which is ${there.get(title) ?? "missing"}`);
  }
  const read = await fileProblems(server, all, ledger.expected);
  const wanted = Object.entries(all).flatMap(([kind, list]) => list.flatMap((row) => FILE_FIELDS[kind].filter((field) => row[field])));
  const references = Object.values(all).flat().map(({ reference }) => reference);
  return { wrong: [...wrong, ...read.wrong], compared: read.compared, kept: there.size, orphans: cluster.store.sizes().length - wanted.length, references };
}

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

await main(async () => {
  const cluster = await Cluster.start();
  console.log(`${program}\ntwo instances, ${connections} connections that send, 2 that read, for ${minutes} minutes\n`);
  const work = Promise.all([...Array.from({ length: connections }, () => sender(cluster)), reader(cluster), reader(cluster)]);
  const until = performance.now() + minutes * 60_000;
  const done = [];
  const answeredBy = new Set();
  for (let at = 0; performance.now() < until; at++) {
    const [name, fault] = Object.entries(FAULTS)[at % Object.keys(FAULTS).length];
    const before = ledger.acknowledged.size;
    const begin = performance.now();
    await fault(cluster);
    // The site recovers by itself: forms are acknowledged again before the next fault.
    const limit = performance.now() + 60_000;
    while (ledger.acknowledged.size < before + BETWEEN && performance.now() < limit) await pause(50);
    done.push(name);
    const recovered = ledger.acknowledged.size >= before + BETWEEN;
    console.log(`${name.padEnd(34)} ${((performance.now() - begin) / 1000).toFixed(1).padStart(5)} s, ${ledger.acknowledged.size - before} acknowledged`);
    if (!recovered) check(`forms are acknowledged again after: ${name}`, false);
  }
  running.on = false;
  await work;
  for (const server of cluster.servers) answeredBy.add(await server.get("/readyz"));
  const { wrong, compared, kept, orphans, references } = await problems(cluster);
  const { waiting, leased } = await mailsSent(cluster);
  const ids = cluster.mail.mails.map(({ id }) => id);
  const doubled = repeated(ids).length;
  console.log(`\nforms: ${tally(ledger.statuses)} (0: broken off); sent again: ${retried}; pages: ${tally(pages)}`);
  console.log(`faults: ${done.length}; files compared by hash: ${compared}; objects without a row, for the sweep: ${orphans}; mails: ${ids.length}, waited for a lease: ${leased}, sent twice: ${doubled}`);
  for (const sentence of wrong.slice(0, 20)) console.log(`      ${sentence}`);
  check("every acknowledged form is stored once, with the files that were sent", wrong.length === 0 && kept === ledger.acknowledged.size, `${ledger.acknowledged.size} acknowledged, ${kept} stored`);
  for (const sentence of unsent.slice(0, 10)) console.log(`      ${sentence}`);
  check("every form was acknowledged in the end", unsent.length === 0, unsent.length);
  check("references are unique", new Set(references).size === references.length, references.length);
  check("every mail was sent", waiting === "" && new Set(ids).size >= ledger.acknowledged.size, waiting || `${new Set(ids).size} different ones`);
  const kills = done.filter((name) => /^instance . killed/.test(name)).length;
  check("no mail was sent twice but one for each killed instance, with the same Message-ID", doubled <= kills, `${doubled}, ${kills} killed`);
  check("both instances are ready", [...answeredBy].join() === "200", [...answeredBy].join());
  check("each fault was made", new Set(done).size === Object.keys(FAULTS).length, `${new Set(done).size} of ${Object.keys(FAULTS).length}`);
  await cluster.end();
});
