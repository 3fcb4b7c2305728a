// Holds connections without using them: forms that drip at 1.5 KB/s, sign-ins that stall, silence and half heads, while
// a normal form and a page are asked for all the time: node tests/faults/drip.mjs [--only drip|sign-in|silent].
// Those who drip and those who are normal have different addresses of this machine (127.0.0.2 and on).
import { connect } from "node:net";
import { picture } from "./support/files.mjs";
import { ADDRESS, send, texts } from "./support/forms.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, main, option, tally } from "./support/report.mjs";

/** The longest time in which a normal form is answered, in seconds: the machine may be a slow one. */
const IN_TIME = 10;
/** The memory that stalled connections may cost, in MB. */
const MOST_GROWTH = 120;

const files = Object.fromEntries(["screenshot", "signature"].map((field) => [field, { name: `${field}.png`, bytes: picture(20) }]));

/** A connection from 127.0.0.`last` that sends `head`, then `piece` every second; its status and seconds when it ended. */
function hold(festival, last, head, piece) {
  const begin = performance.now();
  const { hostname, port } = new URL(festival.url);
  const held = { open: true };
  held.ended = new Promise((done) => {
    let words = "";
    const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.0.${last}` }, () => head && socket.write(head));
    const timer = setInterval(() => piece && socket.writable && socket.write(piece), 1000);
    const finish = () => {
      clearInterval(timer);
      socket.destroy();
      held.open = false;
      done({ status: Number(/^HTTP\/1.1 (\d+)/.exec(words)?.[1] ?? 0), seconds: (performance.now() - begin) / 1000 });
    };
    held.end = finish;
    socket.on("data", (part) => (words += part)).on("end", finish).on("close", finish).on("error", finish);
  });
  return held;
}

/** Asks for a form and a page again and again until `work` is done. */
async function meanwhile(festival, work) {
  const seen = { forms: [], slowest: 0, pages: [] };
  let on = true;
  const asking = (async () => {
    while (on) {
      const begin = performance.now();
      const { status } = await send(festival.url, "delegate", { values: texts("delegate"), files });
      seen.forms.push(status);
      seen.slowest = Math.max(seen.slowest, (performance.now() - begin) / 1000);
      seen.pages.push(await festival.get("/api/site/"));
      await pause(500);
    }
  })();
  const result = await work;
  on = false;
  await asking;
  const right = seen.forms.every((status) => status === 201) && seen.pages.every((status) => status === 200);
  check("normal forms and pages are answered meanwhile", right, `forms ${tally(seen.forms)}, pages ${tally(seen.pages)}`);
  check(`each form within ${IN_TIME} s`, seen.slowest < IN_TIME, `${seen.slowest.toFixed(1)} s`);
  return result;
}

const say = (ended) => `${tally(ended.map(({ status }) => status || "closed"))}, ${Math.max(...ended.map(({ seconds }) => seconds)).toFixed(0)} s at most`;

/** `count` forms at 1.5 KB/s from so many addresses. */
async function drip(festival, count, addresses) {
  const host = new URL(festival.url).host;
  const head =
    `POST ${ADDRESS.film} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: multipart/form-data; boundary=drip\r\nContent-Length: 30000000\r\n\r\n` +
    `--drip\r\nContent-Disposition: form-data; name="film_poster"; filename="a.png"\r\n\r\n\x89PNG`;
  const held = Array.from({ length: count }, (_, number) => hold(festival, 2 + (number % addresses), head, "x".repeat(1536)));
  const enough = setTimeout(() => held.forEach(({ end }) => end()), 110_000);
  const ended = await meanwhile(festival, Promise.all(held.map(({ ended: end }) => end)));
  clearTimeout(enough);
  console.log(`${count} forms at 1.5 KB/s from ${addresses} addresses: ${say(ended)}`);
  check("every drip is ended with 408 or refused with 503", ended.every(({ status }) => status === 408 || status === 503), say(ended));
}

/** Sign-ins that send 2 MiB but for the end. */
async function signIn(festival) {
  const host = new URL(festival.url).host;
  const head =
    `POST /admin/sign-in HTTP/1.1\r\nHost: ${host}\r\nCookie: festival-admin=x\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
    `Content-Length: ${2 * 1024 * 1024}\r\n\r\nemail=`;
  const sent = Buffer.from(head.padEnd(2 * 1024 * 1024, "x"));
  const before = festival.memory().now;
  const held = Array.from({ length: 200 }, () => hold(festival, 2, sent, ""));
  const ended = await meanwhile(festival, Promise.all(held.map(({ ended: end }) => end)));
  const growth = festival.memory().peak - before;
  console.log(`200 sign-ins of 2 MiB that stall: ${say(ended)}`);
  check("each is refused by its head", ended.every(({ status }) => status === 413), say(ended));
  check(`memory grows by less than ${MOST_GROWTH} MB`, growth < MOST_GROWTH, `${growth.toFixed(0)} MB`);
}

/** Connections that say nothing, half a head, or nothing more after an answer. */
async function silent(festival) {
  const host = new URL(festival.url).host;
  const get = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n`;
  for (const [name, head, piece, seconds] of [["silent", "", "", 20], ["half heads that drip", get, "X: y\r\n", 20], ["idle after an answer", `${get}\r\n`, "", 70]]) {
    const held = Array.from({ length: 300 }, (_, number) => hold(festival, 2 + (number % 3), head, piece));
    const enough = setTimeout(() => held.forEach(({ end }) => end()), (seconds + 15) * 1000);
    const ended = await meanwhile(festival, Promise.all(held.map(({ ended: end }) => end)));
    clearTimeout(enough);
    const late = ended.filter((one) => one.seconds > seconds).length;
    check(`300 connections, ${name}, are closed within ${seconds} s`, late === 0, say(ended));
  }
}

const PARTS = { drip: async (festival) => { await drip(festival, 32, 2); await drip(festival, 256, 16); }, "sign-in": signIn, silent };

await main(async () => {
  const only = option("only");
  console.log(program);
  for (const [name, part] of Object.entries(PARTS)) {
    if (only && only !== name) continue;
    const festival = await Festival.make();
    await festival.start();
    await part(festival);
    await festival.end();
  }
});
