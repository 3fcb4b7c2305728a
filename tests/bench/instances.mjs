// Throughput of one, two and four instances behind one nginx, by CPU time: node tests/bench/instances.mjs [--seconds 8]
// All of them, Postgres, the S3 server, nginx and the clients share the cores of this machine, so requests per second say
// little; requests for each CPU-second of the instances say whether instances get in each other's way, and the
// CPU-seconds of Postgres how many of them one database can serve.
import { Agent, get } from "node:http";
import { availableParallelism } from "node:os";
import { Cluster, family } from "../faults/support/cluster.mjs";
import { Ledger, draw, small } from "../faults/support/ledger.mjs";
import { postmaster, withPostgres } from "../faults/support/postgres.mjs";
import { cpuSeconds, pause, program } from "../faults/support/program.mjs";
import { count, main } from "../faults/support/report.mjs";

withPostgres();
const SECONDS = count("seconds", 8);
const CONNECTIONS = 8;
/** Pages and API in the proportion of a visit. */
const PATHS = ["/", "/films", "/blogs", "/team", "/api/site/", "/api/categories/"];
/** All requests come from one address here. */
const NO_LIMIT = [["    limit_req zone=festival_requests burst=1000 nodelay;\n", ""]];

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Reads the whole response from an address, compressed as for a browser; returns the status. */
function read(url) {
  return new Promise((done, fail) => {
    get(url, { agent, headers: { "Accept-Encoding": "br, gzip" } }, (answer) => answer.on("end", () => done(answer.statusCode)).resume()).once("error", fail);
  });
}

/** The CPU-seconds of each part. */
async function used(cluster, database) {
  const one = (pid) => {
    try {
      return cpuSeconds(pid);
    } catch {
      return 0; // A connection that was just closed.
    }
  };
  const all = (pids) => pids.reduce((sum, pid) => sum + one(pid), 0);
  return {
    instances: all(cluster.servers.map((server) => server.child.pid)),
    // Connections are processes: those that ended count with their parent.
    postgres: all(family(database)) + cpuSeconds(database, "ended"),
    nginx: all(family(cluster.proxy.child.pid)),
    store: cpuSeconds(cluster.store.child.pid),
  };
}

/** Waits until each instance uses less than a twentieth of a core. */
async function idle(cluster, database) {
  for (let before = await used(cluster, database); ; ) {
    await pause(1000);
    const now = await used(cluster, database);
    if (now.instances - before.instances < 0.05 * cluster.servers.length) return;
    before = now;
  }
}

/** Works on all connections until the time is over: `{count, instances, postgres, nginx, store}`. */
async function measure(cluster, database, work) {
  const before = await used(cluster, database);
  const until = performance.now() + SECONDS * 1000;
  let done = 0;
  const connection = async (number) => {
    for (let at = number; performance.now() < until; at++) {
      await work(at);
      done++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => connection(number)));
  const after = await used(cluster, database);
  return { count: done, ...Object.fromEntries(Object.keys(after).map((part) => [part, after[part] - before[part]])) };
}

await main(async () => {
  console.log(`${program}\n${availableParallelism()} cores for everything, ${CONNECTIONS} connections, ${SECONDS} s each\n`);
  console.log("instances  what        requests  for each CPU-second of the instances  of Postgres  CPU-seconds: instances, Postgres, nginx, S3 server");
  const first = {};
  for (const instances of [1, 2, 4]) {
    const cluster = await Cluster.start(instances, NO_LIMIT);
    const database = await postmaster();
    const ledger = new Ledger();
    const works = {
      pages: async (at) => {
        const status = await read(cluster.url + PATHS[at % PATHS.length]);
        if (status !== 200) throw new Error(`${PATHS[at % PATHS.length]}: ${status}`);
      },
      forms: async () => {
        const answer = await ledger.send(cluster.url, draw(small));
        if (answer.status !== 201) throw new Error(`a form: ${answer.status} ${JSON.stringify(answer.body)}`);
      },
    };
    // Each instance has rendered each page, received a form, and finished what it does at its start.
    for (const server of cluster.servers) {
      for (const path of PATHS) await server.get(path);
      await ledger.send(server.url, draw(small));
    }
    await idle(cluster, database);
    for (const [what, work] of Object.entries(works)) {
      const found = await measure(cluster, database, work);
      const each = found.count / found.instances;
      first[what] ??= each;
      const parts = ["instances", "postgres", "nginx", "store"].map((part) => found[part].toFixed(1)).join(", ");
      const ratio = `${each.toFixed(0)} (${(each / first[what]).toFixed(2)})`;
      const perDatabase = found.postgres > 0.05 ? (found.count / found.postgres).toFixed(0) : "-";
      console.log(`${String(instances).padEnd(10)} ${what.padEnd(8)} ${String(found.count).padStart(11)} ${ratio.padStart(38)} ${perDatabase.padStart(12)}  ${parts}`);
    }
    await cluster.end();
  }
});
