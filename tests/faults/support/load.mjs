// Sends forms with files and reads pages through the proxy of a cluster, and records the results.
import { get } from "node:http";
import { fileProblems, referenceProblems, rows } from "./integrity.mjs";
import { FILE_FIELDS, titleOf } from "./forms.mjs";
import { Ledger, draw } from "./ledger.mjs";
import { pause } from "./program.mjs";
import { repeated } from "./report.mjs";

/** How long a form is retried, in ms. */
const PATIENCE = 30_000;
/** Addresses that are read. */
const PATHS = ["/", "/films", "/api/site/", "/blogs"];

/**
 * The status of a page view, 0 if it was broken off. Uses a new connection: a kept-alive one may be closed while a
 * request is on its way, and browsers then send it again by themselves.
 */
function view(url) {
  return new Promise((done) => {
    const asked = get(url, { agent: false, timeout: 20_000 }, (answer) => {
      answer.on("end", () => done(answer.complete ? answer.statusCode : 0)).on("error", () => done(0)).resume();
    });
    asked.on("error", () => done(0)).on("timeout", () => asked.destroy(new Error("no response in time")));
  });
}

export class Load {
  ledger = new Ledger();
  /** Page views, `{status, at}`, and acknowledgements, with the times when they ended, in ms. */
  views = [];
  acknowledgements = [];
  /** Forms that were never acknowledged, with the last response. */
  unsent = [];
  retried = 0;
  #on = true;

  /** Starts this number of connections that send, and two that read. */
  constructor(url, connections) {
    this.url = url;
    this.work = Promise.all([...Array.from({ length: connections }, () => this.#send()), this.#read(), this.#read()]);
  }

  get acknowledged() {
    return this.ledger.acknowledged.size;
  }

  /** Waits until `count` further forms are acknowledged; false if that takes longer than a minute. */
  async more(count) {
    const enough = this.acknowledged + count;
    const until = performance.now() + 60_000;
    while (this.acknowledged < enough && performance.now() < until) await pause(50);
    return this.acknowledged >= enough;
  }

  /** Stops, once each form is acknowledged or given up. */
  async end() {
    this.#on = false;
    await this.work;
  }

  /** Sends forms, each until it is acknowledged, as browsers do. */
  async #send() {
    while (this.#on) {
      const form = draw();
      const until = performance.now() + PATIENCE;
      for (;;) {
        const answer = await this.ledger.send(this.url, form, { timeout: 30_000 });
        if (answer.status === 201) {
          this.acknowledgements.push(performance.now());
          break;
        }
        if (performance.now() > until) {
          this.unsent.push(`${form.kind}, ${form.key ? "with" : "without"} a key: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
          break;
        }
        this.retried++;
        await pause(200);
      }
    }
  }

  async #read() {
    for (let at = 0; this.#on; at++) {
      const status = await view(this.url + PATHS[at % PATHS.length]);
      this.views.push({ status, at: performance.now() });
      await pause(20);
    }
  }

  /** Compares stored with acknowledged forms: `{wrong, compared, kept, orphans, references}`; `wrong` has sentences. */
  async compare(cluster) {
    const [server] = cluster.servers;
    const all = await rows(server);
    const wrong = referenceProblems(all);
    const there = new Map();
    for (const [kind, list] of Object.entries(all)) {
      const titles = list.map((row) => titleOf(kind, row));
      for (const title of repeated(titles)) wrong.push(`${kind} ${title} exists twice`);
      for (const row of list) there.set(titleOf(kind, row), row.reference);
    }
    for (const [title, { kind, reference }] of this.ledger.acknowledged) {
      if (there.get(title) !== reference) wrong.push(`LOST: ${kind} ${reference}, which is ${there.get(title) ?? "missing"}`);
    }
    const read = await fileProblems(server, all, this.ledger.expected);
    const wanted = Object.entries(all).flatMap(([kind, list]) => list.flatMap((row) => FILE_FIELDS[kind].filter((field) => row[field])));
    const references = Object.values(all).flat().map(({ reference }) => reference);
    return { wrong: [...wrong, ...read.wrong], compared: read.compared, kept: there.size, orphans: cluster.store.sizes().length - wanted.length, references };
  }
}

/** The longest time, in seconds, between two of `times` around the time from `begin` to `end`. */
export function longestGap(times, begin, end) {
  let [longest, last] = [0, begin];
  for (const at of times) {
    if (at > begin && last < end) longest = Math.max(longest, at - last);
    if (at > begin) last = at;
  }
  return longest / 1000;
}
