// Restarts Postgres repeatedly under load: node tests/faults/postgres.mjs [--rounds 6]. Forms are sent and pages
// requested all the time. The only error may be 503, nothing acknowledged may be lost, and pages come from memory.
import { Ledger, draw, small } from "./support/ledger.mjs";
import { control, emptyDatabase, withPostgres } from "./support/postgres.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, count, main, tally } from "./support/report.mjs";

const rounds = count("rounds", 6);
const SENDERS = 6;
/** How long Postgres is stopped, in ms, in turn. */
const AWAY = [0, 3000, 8000];
/** The time limit for recovery after Postgres is back, in seconds. */
const RECOVERS = 30;
/** Pages that are cached. */
const PAGES = ["/", "/films", "/api/site/", "/api/venues/"];

withPostgres();
const ledger = new Ledger();
const refusals = new Set();
const seen = { forms: [], pages: [], slowest: 0, away: false, whileAway: [] };

/** Sends forms, and again those that were rejected or interrupted, as the form in a browser does. */
async function sender(festival, going) {
  let form = null;
  while (going.on || form) {
    form ??= { ...draw(small), key: crypto.randomUUID() };
    const answer = await ledger.send(festival.url, form);
    if (answer.status === 201) form = null;
    else refusals.add(`${answer.status} ${answer.body.error}${Number(answer.headers["retry-after"]) > 0 ? "" : " (no Retry-After)"}`);
    if (form) await pause(500);
    if (form && performance.now() > going.end) return;
  }
}

async function reader(festival, going) {
  while (going.on) {
    for (const path of PAGES) {
      const [begin, isAway] = [performance.now(), seen.away];
      const status = await festival.get(path);
      seen.pages.push(status);
      if (isAway) seen.whileAway.push(status);
      seen.slowest = Math.max(seen.slowest, performance.now() - begin);
    }
    await pause(100);
  }
}

await main(async () => {
  console.log(program);
  const festival = await Festival.make({ database: await emptyDatabase() });
  await festival.start();
  for (const path of PAGES) await festival.get(path);
  const going = { on: true, end: Infinity };
  const work = [...Array.from({ length: SENDERS }, () => sender(festival, going)), reader(festival, going)];
  const recovered = [];
  for (let round = 0; round < rounds; round++) {
    await pause(2000);
    const [mode, away] = [round % 2 ? "immediate" : "fast", AWAY[round % AWAY.length]];
    seen.away = true;
    await control("stop", "-m", mode);
    await pause(away);
    const ready = away ? await festival.get("/readyz") : "";
    await control("start");
    seen.away = false;
    const back = performance.now();
    const before = ledger.acknowledged.size;
    while (performance.now() - back < RECOVERS * 1000) {
      if (ledger.acknowledged.size > before && (await festival.get("/readyz")) === 200) break;
      await pause(50);
    }
    recovered.push((performance.now() - back) / 1000);
    console.log(`      ${mode}, stopped for ${(away / 1000).toFixed(0)} s${ready ? `, /readyz ${ready}` : ""}: forms are accepted again ${recovered.at(-1).toFixed(1)} s after it is back`);
    if (ready) check("/readyz reports it meanwhile", ready === 503, ready);
  }
  going.on = false;
  going.end = performance.now() + 60_000;
  await Promise.all(work);
  check("it recovers each time", recovered.every((seconds) => seconds < RECOVERS), `${Math.max(...recovered).toFixed(1)} s at most`);
  const areAnswered = ledger.statuses.every((status) => status === 201 || status === 503);
  check("forms get 201 or 503", areAnswered, tally(ledger.statuses));
  check("each 503 has Retry-After", ![...refusals].some((message) => message.includes("no Retry-After")));
  for (const message of refusals) console.log(`      ${message}`);
  check("pages are served from memory meanwhile", seen.whileAway.length > 0 && seen.pages.every((status) => status === 200), `${tally(seen.whileAway)} during the outage, ${tally(seen.pages)} altogether, slowest ${seen.slowest.toFixed(0)} ms`);
  // If the outcome of a commit is unknown, the files stay until the sweep at the next start.
  await festival.kill("SIGTERM");
  await festival.start();
  const { wrong, kept, compared } = await ledger.verify(festival);
  const lost = ledger.acknowledged.size !== ledger.expected.size ? [`${ledger.expected.size} forms were sent, ${ledger.acknowledged.size} acknowledged in the end`] : [];
  check("nothing acknowledged is lost or duplicated", wrong.length + lost.length === 0, [...wrong, ...lost, `${ledger.acknowledged.size} acknowledged, ${kept} kept, ${compared} files compared`].join("; "));
  await festival.end();
});
