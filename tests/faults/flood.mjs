// Floods the running program with many large forms at once, stalled bodies, equal forms and different forms:
// node tests/faults/flood.mjs [--only large|equal|keys|different|slow]. Everything stays on 127.0.0.1.
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { pdf, picture, sideFor } from "./support/files.mjs";
import { ADDRESS, FILE_FIELDS, TAKES_PDF, send, texts } from "./support/forms.mjs";
import { rows, storeProblems, referenceProblems } from "./support/integrity.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, main, option, tally } from "./support/report.mjs";

const AT_ONCE = 64;
const KEYS = 100;
const MOST_MEMORY = 300;
/** Just under 5 MB. */
const LARGE = 5 * 1024 * 1024 - 2_000;
/** The memory that may stay allocated after a flood, in MB: allocators keep some. */
const MOST_RETAINED = 60;

const within = (files) => Object.fromEntries(Object.entries(files).map(([field, bytes]) => [field, { name: `${field}.bin`, bytes }]));

function filmFiles(size) {
  const [image, document] = [picture(sideFor(size)), pdf(size)];
  return within(Object.fromEntries(FILE_FIELDS.film.map((field) => [field, TAKES_PDF.has(field) ? document : image])));
}

/** Checks that exactly the acknowledged submissions are stored. */
async function checkStored(festival, acknowledged) {
  const all = await rows(festival);
  const count = all.film.length + all.delegate.length;
  check("the rows are the acknowledged ones", count === acknowledged, `${count} rows, ${acknowledged} acknowledged`);
  const wrong = [...(await storeProblems(festival, all)), ...referenceProblems(all)];
  check("no orphaned file, no gap in the references", wrong.length === 0, wrong.join("; "));
}

async function large(festival) {
  const files = filmFiles(LARGE);
  // Warm up, so that memory can be compared before and after the flood.
  const warm = await send(festival.url, "film", { values: texts("film"), files });
  check("a single form is accepted", warm.status === 201, `${warm.status}`);
  const before = festival.memory();
  const cpu = festival.cpuSeconds();
  const begin = performance.now();
  const others = [];
  const watching = { on: true };
  const watch = (async () => {
    while (watching.on) {
      const asked = performance.now();
      others.push([await festival.get("/api/site/"), performance.now() - asked]);
      await pause(100);
    }
  })();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(festival.url, "film", { values: texts("film"), files })));
  const seconds = (performance.now() - begin) / 1000;
  watching.on = false;
  await watch;
  const { peak } = festival.memory();
  const used = festival.cpuSeconds() - cpu;
  console.log(`\n${AT_ONCE} forms of 30 MB at once: ${tally(answers.map(({ status }) => status))} in ${seconds.toFixed(1)} s, ${used.toFixed(1)} CPU-seconds`);
  check("each was accepted, or rejected with Retry-After", answers.every(isAcceptedOrRetryable), tally(answers.filter((answer) => !isAcceptedOrRetryable(answer)).map(({ status, body }) => `${status} ${JSON.stringify(body)}`)));
  check("some were accepted", answers.some(({ status }) => status === 201));
  check(`peak memory under ${MOST_MEMORY} MB`, peak < MOST_MEMORY, `${before.now.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most`);
  others.sort(([, a], [, b]) => a - b);
  check("other requests succeeded meanwhile", others.every(([status]) => status === 200), `${others.length} GETs, slowest ${others.at(-1)[1].toFixed(0)} ms`);
  await pause(3000);
  const { now } = festival.memory();
  check("memory is released", now - before.now < MOST_RETAINED, `${now.toFixed(0)} MB after`);
  return [warm, ...answers].filter(({ status }) => status === 201).length;
}

const isAcceptedOrRetryable = ({ status, headers, body }) => status === 201 || (status === 503 && Number(headers["retry-after"]) > 0 && Boolean(body.error));

/** Starts a form and continues with `more` every second; returns the status and the seconds until it arrived. */
function slow(festival, more) {
  const begin = performance.now();
  const { hostname, port } = new URL(festival.url);
  return new Promise((done) => {
    let received = "";
    const finish = () => {
      clearInterval(timer);
      clearTimeout(enough);
      socket.destroy();
      done({ status: Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 0), seconds: (performance.now() - begin) / 1000, readable: received.includes('"error"') });
    };
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST ${ADDRESS.film} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: multipart/form-data; boundary=slow\r\n` +
          `Content-Length: 1000000\r\n\r\n--slow\r\nContent-Disposition: form-data; name="film_poster"; filename="a.png"\r\n\r\n\x89PNG`,
      );
    });
    const timer = setInterval(() => more && socket.write(more), 1000);
    const enough = setTimeout(finish, 90_000);
    socket.on("data", (part) => (received += part)).on("end", finish).on("close", finish).on("error", finish);
  });
}

async function slowBodies(festival) {
  const began = performance.now();
  const waiting = Promise.all([...Array(12).fill(""), ...Array(4).fill("x".repeat(100))].map((more) => slow(festival, more)));
  await pause(1000);
  const between = await send(festival.url, "delegate", { values: texts("delegate"), files: within({ screenshot: picture(20), signature: picture(20) }) });
  const answers = await waiting;
  const say = (list) => `${tally(list.map(({ status }) => status))}, ${Math.min(...list.map((a) => a.seconds)).toFixed(1)} to ${Math.max(...list.map((a) => a.seconds)).toFixed(1)} s`;
  console.log(`\nslow bodies, watched for ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const [stalled, dripping] = [answers.slice(0, 12), answers.slice(12)];
  const dropped = (list, from, to) => list.every(({ status, seconds, readable }) => status === 408 && readable && seconds > from && seconds < to);
  check("stalled bodies get 408 after 20 s", dropped(stalled, 18, 30), say(stalled));
  check("slow bodies get 408 after a minute", dropped(dripping, 58, 80), say(dripping));
  check("others can send meanwhile", between.status === 201, between.status);
  return 1;
}

async function equal(festival, key) {
  const form = { values: texts("film"), files: filmFiles(30_000), key: key ? randomUUID() : undefined };
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(festival.url, "film", form)));
  const bodies = new Set(answers.map(({ body }) => JSON.stringify(body)));
  console.log(`\n50 equal forms at once, ${key ? "with" : "without"} a key: ${tally(answers.map(({ status }) => status))}`);
  check("50 equal responses", answers.every(({ status }) => status === 201) && bodies.size === 1, [...bodies].slice(0, 3).join(" "));
  return 1;
}

/** Fifty equal forms for each of a hundred keys, a few keys at a time. */
async function keys(festival) {
  const files = within({ screenshot: picture(8), signature: picture(8) });
  const forms = Array.from({ length: KEYS }, () => ({ values: texts("delegate"), files, key: randomUUID() }));
  const statuses = [];
  let wrong = 0;
  const worker = async () => {
    for (let form = forms.pop(); form; form = forms.pop()) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => persistent(festival, form, "delegate")));
      statuses.push(...answers.map(({ status, again }) => (again ? `${status} after a retry` : status)));
      if (new Set(answers.map(({ status, body }) => `${status} ${body.reference}`)).size !== 1 || answers[0].status !== 201) wrong++;
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  console.log(`\n50 equal forms for each of ${KEYS} keys: ${tally(statuses)}`);
  check("one response per key", wrong === 0, `${wrong} keys with several`);
  return KEYS;
}

async function different(festival) {
  const files = filmFiles(30_000);
  const forms = Array.from({ length: 100 }, () => ({ values: texts("film"), files }));
  const answers = [];
  await Promise.all(forms.map(async (form) => answers.push(await persistent(festival, form))));
  const references = new Set(answers.map(({ body }) => body.reference));
  console.log(`\n100 different forms at once: ${tally(answers.map(({ status, again }) => (again ? `${status} after a retry` : status)))}`);
  check("100 references", answers.every(({ status }) => status === 201) && references.size === 100, references.size);
  return 100;
}

/** Sends a form, and follows Retry-After a few times. */
async function persistent(festival, form, kind = "film") {
  for (let again = 0; ; again++) {
    const answer = await send(festival.url, kind, form);
    if (answer.status !== 503 || again === 20) return { ...answer, again };
    await pause(Number(answer.headers["retry-after"]) * 1000);
  }
}

/** The first flood shows the peak, the second whether memory grows. */
async function largeTwice(festival) {
  return (await large(festival)) + (await large(festival));
}

const PARTS = {
  large: largeTwice,
  keys,
  equal: async (festival) => (await equal(festival, true)) + (await equal(festival, false)),
  different,
  slow: slowBodies,
};

await main(async () => {
  const only = option("only");
  console.log(program);
  for (const [name, part] of Object.entries(PARTS)) {
    if (only && only !== name) continue;
    const festival = await Festival.make();
    await festival.start();
    await checkStored(festival, await part(festival));
    await festival.end();
  }
});
