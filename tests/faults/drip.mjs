// Holds connections open: forms at 1.5 KB/s, stalled sign-ins, silent connections, incomplete heads, thousands of slow
// heads, responses that nobody reads, also many on one connection. Meanwhile normal forms and pages are requested all the time:
// node tests/faults/drip.mjs [--only drip|sign-in|silent|heads|readers|pipelined] [--connections 10000].
// Slow and normal clients use different addresses of this machine (from 127.0.0.2).
import { connect } from "node:net";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { picture } from "./support/files.mjs";
import { ADDRESS, send, texts } from "./support/forms.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, count, main, option, tally } from "./support/report.mjs";

/** The time limit for a normal form, in seconds, with room for slow machines. */
const FORM_LIMIT = 10;
/** The memory limit of stalled connections, in MB. */
const MOST_GROWTH = 120;
/** The memory limit of one idle connection, in KB. */
const MOST_EACH = 10;
/** The time limit of the 99th percentile of pages meanwhile, in ms. */
const PAGE_LIMIT = 500;
/** Connections with slow heads: in total, and per client. */
const [HEADS, PER_CLIENT] = [count("connections", 10_000), 256];
const READERS = 100;
const LARGE = 20_000_000;
/** Connections that each request this many responses at once, and the memory limits of all, in MB: at most, and afterwards. */
const [PIPELINES, REQUESTS] = [4000, 20];
const MOST_UNREAD = { most: 120, kept: 60 };

const files = Object.fromEntries(["screenshot", "signature"].map((field) => [field, { name: `${field}.png`, bytes: picture(20) }]));

/** A connection from 127.0.0.`last` that sends `head`, then `piece` every second; returns its status and duration. */
function openConnection(festival, last, head, piece) {
  const begin = performance.now();
  const { hostname, port } = new URL(festival.url);
  const held = { open: true };
  held.ended = new Promise((done) => {
    let received = "";
    const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.0.${last}` }, () => head && socket.write(head));
    const timer = setInterval(() => piece && socket.writable && socket.write(piece), 1000);
    const finish = () => {
      clearInterval(timer);
      socket.destroy();
      held.open = false;
      done({ status: Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 0), seconds: (performance.now() - begin) / 1000 });
    };
    held.end = finish;
    socket.on("data", (part) => (received += part)).on("end", finish).on("close", finish).on("error", finish);
  });
  return held;
}

/** Sends forms and requests pages until `work` is done. */
async function meanwhile(festival, work) {
  const seen = { forms: [], slowest: 0, pages: [], times: [] };
  let on = true;
  const asking = (async () => {
    while (on) {
      const begin = performance.now();
      const { status } = await send(festival.url, "delegate", { values: texts("delegate"), files });
      seen.forms.push(status);
      seen.slowest = Math.max(seen.slowest, (performance.now() - begin) / 1000);
      for (let page = 0; page < 5; page++) {
        const asked = performance.now();
        seen.pages.push(await festival.get("/films"));
        seen.times.push(performance.now() - asked);
      }
      await pause(500);
    }
  })();
  const result = await work;
  on = false;
  await asking;
  const right = seen.forms.every((status) => status === 201) && seen.pages.every((status) => status === 200);
  check("normal forms and pages succeed meanwhile", right, `forms ${tally(seen.forms)}, pages ${tally(seen.pages)}`);
  seen.times.sort((a, b) => a - b);
  const [half, most] = [0.5, 0.99].map((share) => seen.times[Math.floor(seen.times.length * share)]);
  check(`99 of 100 pages within ${PAGE_LIMIT} ms`, most < PAGE_LIMIT, `${most.toFixed(0)} ms; half within ${half.toFixed(0)} ms`);
  check(`each form within ${FORM_LIMIT} s`, seen.slowest < FORM_LIMIT, `${seen.slowest.toFixed(1)} s`);
  return result;
}

const say = (ended) => `${tally(ended.map(({ status }) => status || "closed"))}, ${Math.max(...ended.map(({ seconds }) => seconds)).toFixed(0)} s at most`;

/** Sends `count` forms at 1.5 KB/s from this number of addresses. */
async function drip(festival, count, addresses) {
  const host = new URL(festival.url).host;
  const head =
    `POST ${ADDRESS.film} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: multipart/form-data; boundary=drip\r\nContent-Length: 30000000\r\n\r\n` +
    `--drip\r\nContent-Disposition: form-data; name="film_poster"; filename="a.png"\r\n\r\n\x89PNG`;
  const held = Array.from({ length: count }, (_, number) => openConnection(festival, 2 + (number % addresses), head, "x".repeat(1536)));
  const enough = setTimeout(() => held.forEach(({ end }) => end()), 110_000);
  const ended = await meanwhile(festival, Promise.all(held.map(({ ended: end }) => end)));
  clearTimeout(enough);
  console.log(`${count} forms at 1.5 KB/s from ${addresses} addresses: ${say(ended)}`);
  check("every slow form ends with 408 or 503", ended.every(({ status }) => status === 408 || status === 503), say(ended));
}

/** Sign-ins of 2 MiB that stall before the end. */
async function signIn(festival) {
  const host = new URL(festival.url).host;
  const head =
    `POST /admin/sign-in HTTP/1.1\r\nHost: ${host}\r\nCookie: festival-admin=x\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
    `Content-Length: ${2 * 1024 * 1024}\r\n\r\nemail=`;
  const sent = Buffer.from(head.padEnd(2 * 1024 * 1024, "x"));
  const before = festival.memory().now;
  const held = Array.from({ length: 200 }, () => openConnection(festival, 2, sent, ""));
  const ended = await meanwhile(festival, Promise.all(held.map(({ ended: end }) => end)));
  const growth = festival.memory().peak - before;
  console.log(`200 stalled sign-ins of 2 MiB: ${say(ended)}`);
  check("each is rejected by its head", ended.every(({ status }) => status === 413), say(ended));
  check(`memory grows by less than ${MOST_GROWTH} MB`, growth < MOST_GROWTH, `${growth.toFixed(0)} MB`);
}

/** Connections that send nothing, half a head, or nothing more after a response. */
async function silent(festival) {
  const host = new URL(festival.url).host;
  const get = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n`;
  for (const [name, head, piece, seconds] of [["silent", "", "", 20], ["half heads that drip", get, "X: y\r\n", 20], ["idle after an answer", `${get}\r\n`, "", 70]]) {
    const held = Array.from({ length: 300 }, (_, number) => openConnection(festival, 2 + (number % 3), head, piece));
    const enough = setTimeout(() => held.forEach(({ end }) => end()), (seconds + 15) * 1000);
    const ended = await meanwhile(festival, Promise.all(held.map(({ ended: end }) => end)));
    clearTimeout(enough);
    const late = ended.filter((one) => one.seconds > seconds).length;
    check(`300 connections, ${name}, are closed within ${seconds} s`, late === 0, say(ended));
  }
}

/** Thousands of endless heads, from as many addresses as needed. */
async function heads(festival) {
  const host = new URL(festival.url).host;
  const before = festival.memory().now;
  const held = [];
  const seen = { open: 0, each: 0 };
  const watching = setInterval(() => {
    const open = held.filter((one) => one.open).length;
    if (open < seen.open) return;
    seen.open = open;
    seen.each = ((festival.memory().now - before) * 1024) / Math.max(1, open);
  }, 200);
  const opening = (async () => {
    for (let number = 0; number < HEADS; number++) {
      held.push(openConnection(festival, 2 + Math.floor(number / PER_CLIENT), `GET /films HTTP/1.1\r\nHost: ${host}\r\n`, "X: y\r\n"));
      // Keeps the system's queue of new connections from overflowing.
      if (number % 50 === 49) await pause(20);
    }
    return Promise.all(held.map(({ ended }) => ended));
  })();
  const ended = await meanwhile(festival, opening);
  clearInterval(watching);
  console.log(`${HEADS} slow heads from ${Math.ceil(HEADS / PER_CLIENT)} addresses, ${seen.open} open at the same time: ${say(ended)}`);
  // The program counts from accept; before that, a connection may wait in the system's queue.
  const soon = ended.filter(({ seconds }) => seconds <= 16).length;
  check("each is closed within 30 s by the program itself", ended.every(({ seconds }) => seconds < 30), `${soon} of them within 16 s`);
  check(`an open connection costs less than ${MOST_EACH} KB`, seen.each < MOST_EACH, `${seen.each.toFixed(1)} KB`);
}

/** Stores the public file /media/documents/large.pdf. */
function writeLarge(festival) {
  const folder = join(festival.data, "media/public/documents");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "large.pdf"), randomBytes(LARGE));
}

/** Large responses that are not read, or read a byte a second. */
async function readers(festival) {
  writeLarge(festival);
  const { hostname, port, host } = new URL(festival.url);
  const idle = festival.descriptors();
  const before = festival.memory().now;
  const begin = performance.now();
  const sockets = Array.from({ length: READERS }, (_, number) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.0.${2 + (number % 4)}`, highWaterMark: 1 });
    socket.on("error", () => {}).write(`GET /media/documents/large.pdf HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    if (number % 2) setInterval(() => socket.read(1), 1000).unref();
    socket.pause();
    return socket;
  });
  await pause(3000);
  const most = festival.descriptors();
  const gone = (async () => {
    // A client that does not read does not notice the end of a connection: count the program's descriptors.
    while (festival.descriptors() > idle + READERS / 10 && performance.now() - begin < 90_000) await pause(500);
    return (performance.now() - begin) / 1000;
  })();
  const seconds = await meanwhile(festival, gone);
  const growth = festival.memory().peak - before;
  sockets.forEach((socket) => socket.destroy());
  check(`${READERS} unread responses are aborted`, most > idle + READERS && seconds < 60, `after ${seconds.toFixed(0)} s; ${most} descriptors at most, ${idle} before`);
  check(`memory grows by less than ${MOST_GROWTH} MB`, growth < MOST_GROWTH, `${growth.toFixed(0)} MB`);
}

/** Many requests at once on each connection, for cached pages, of which nothing is read. */
async function pipelined(festival) {
  const { hostname, port, host } = new URL(festival.url);
  await festival.get("/films");
  const request = `GET /films HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(REQUESTS);
  const [idle, before] = [festival.descriptors(), festival.memory().now];
  const sockets = [];
  for (let number = 0; number < PIPELINES; number++) {
    const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.0.${2 + Math.floor(number / PER_CLIENT)}` });
    socket.on("error", () => {}).pause().write(request);
    sockets.push(socket);
    if (number % 50 === 49) await pause(20);
  }
  let most = 0;
  const ended = (async () => {
    // They are closed for not reading.
    for (const begin = performance.now(); performance.now() - begin < 150_000; await pause(250)) {
      most = Math.max(most, festival.memory().now);
      if (performance.now() - begin > 20_000 && festival.descriptors() < idle + 100) return;
    }
  })();
  await meanwhile(festival, ended);
  sockets.forEach((socket) => socket.destroy());
  await pause(3000);
  // The allocator gives memory back while it works, not while nothing happens.
  for (let number = 0; number < 2000; number++) await festival.get("/films");
  const [growth, kept, left] = [most - before, festival.memory().now - before, festival.descriptors() - idle];
  check(`${PIPELINES} connections with ${REQUESTS} unread pages each take less than ${MOST_UNREAD.most} MB`, growth < MOST_UNREAD.most, `${growth.toFixed(0)} MB`);
  check(`afterwards less than ${MOST_UNREAD.kept} MB are kept`, kept < MOST_UNREAD.kept && left < 100, `${kept.toFixed(0)} MB; ${left} descriptors more than before`);
}

const PARTS = { drip: async (festival) => { await drip(festival, 32, 2); await drip(festival, 256, 16); }, "sign-in": signIn, silent, heads, readers, pipelined };

await main(async () => {
  const only = option("only");
  console.log(program);
  for (const [name, part] of Object.entries(PARTS)) {
    if (only && only !== name) continue;
    // The program allows as many connections as its limit of open files.
    const festival = await Festival.make({ settings: { FESTIVAL_CONNECTIONS__AT_ONCE: String(HEADS + 100) } });
    await festival.start();
    await part(festival);
    await festival.end();
  }
});
