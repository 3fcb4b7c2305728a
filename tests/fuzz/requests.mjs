// Sends almost valid requests to the running program: node tests/fuzz/requests.mjs [--count 200000] [--seed 1]
// Heads, addresses, JSON, forms with files and sign-ins, each mutated in a few places. None may get a 5xx, hang,
// end the process, change what visitors see, or leave an orphaned file. A request that is still valid is accepted.
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { picture } from "../faults/support/files.mjs";
import { ADDRESS, FILE_FIELDS, body, texts } from "../faults/support/forms.mjs";
import { Festival } from "../faults/support/program.mjs";
import { check, count, main, tally } from "../faults/support/report.mjs";

/** Parallel connections; one client may have 256. */
const AT_ONCE = 200;
/** Milliseconds without a response after which the sending side is closed: the mutated request may be too short. */
const CUT_SHORT = 1500;
/** Seconds after which a connection without response or end is considered hung: the program's timeouts are shorter. */
const HANGS = 60;
const MOST_MEMORY = 300;

/** Pseudo-random numbers, equal for equal seeds (mulberry32). */
function numbers(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { below, one: (list) => list[below(list.length)] };
}

/** Texts that are inserted into requests: difficult ones for parsers. */
const TOKENS = [
  "\r\n", "\n", "\r", "\0", "\t", " ", "%", "%00", "%zz", "%2e%2e%2f", "..", "//", "\\", "?", "#", "&", "=", ";", ",", ":", '"', "'", "<", "{", "}",
  "[", "]", "-1", "99999999999999999999", "1e309", "NaN", "null", "\ufeff", "\u202e", "\u200b", "മഴ", "👩‍👩‍👧", "\ud800", "--", "\r\n\r\n",
  "Content-Length: 5\r\n", "Content-Length: -1\r\n", "Transfer-Encoding: chunked\r\n", "Host: evil.example\r\n", "Expect: 100-continue\r\n",
  "Range: bytes=0-,5-\r\n", "If-None-Match: \"\r\n", "X-Forwarded-For: ::::\r\n", "Cookie: festival-admin=\r\n", "_method=delete&",
  "' OR 1=1 --", "{{7*7}}", "=cmd|' /C calc'!A0", "a".repeat(300), "9".repeat(5000),
].map((text) => Buffer.from(text));

/** `bytes` with one to four places changed. */
function broken(bytes, { below, one }) {
  let out = Buffer.from(bytes);
  for (let times = 1 + below(4); times > 0; times--) {
    const at = below(out.length + 1);
    const length = Math.min(out.length - at, 1 + below(one([1, 4, 40])));
    const [before, part, after] = [out.subarray(0, at), out.subarray(at, at + length), out.subarray(at + length)];
    const change = below(6);
    if (change === 0) out = Buffer.concat([before, after]);
    else if (change === 1) out = Buffer.concat([before, part, part, after]);
    else if (change === 2) out = Buffer.concat([before, one(TOKENS), part, after]);
    else if (change === 3) out = Buffer.concat([before, one(TOKENS), after]);
    else if (change === 4) out = Buffer.concat([before, Buffer.from(part.map((byte) => byte ^ (1 << below(8)))), after]);
    else out = below(4) === 0 ? before : out;
  }
  return out;
}

/** Valid requests. */
function right(host, paths) {
  const head = (method, path, more = "") => `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;
  const withBody = (path, type, content) =>
    Buffer.concat([Buffer.from(head("POST", path, `Content-Type: ${type}\r\nContent-Length: ${content.length}\r\n`)), content]);
  const picked = picture(6);
  const form = (kind, path) => {
    const files = Object.fromEntries(FILE_FIELDS[kind].map((field) => [field, { name: `${field}.png`, bytes: picked }]));
    const { type, pieces } = body(texts(kind), files);
    return withBody(path, type, Buffer.concat(pieces));
  };
  const message = { name: "Visitor", email: "visitor@example.org", contact: "+91 484 123456", message: "When does it begin?" };
  const signIn = Buffer.from("email=owner%40example.org&password=guess&token=0");
  return [
    ...paths.map((path) => Buffer.from(head("GET", path, "Accept-Encoding: br, gzip\r\nAccept: */*\r\n"))),
    withBody("/api/contact/", "application/json", Buffer.from(JSON.stringify(message))),
    form("film", ADDRESS.film),
    form("delegate", ADDRESS.delegate),
    withBody("/admin/sign-in", "application/x-www-form-urlencoded", signIn),
  ];
}

/** Sends the bytes; returns the statuses of all responses. */
function send(port, bytes) {
  return new Promise((done) => {
    let received = "";
    const socket = connect({ host: "127.0.0.1", port }, () => socket.write(bytes));
    const cut = setTimeout(() => socket.end(), CUT_SHORT);
    const timer = setTimeout(() => finish(true), HANGS * 1000);
    const finish = (hangs) => {
      clearTimeout(timer);
      clearTimeout(cut);
      socket.destroy();
      const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
      done({ statuses, hangs });
    };
    // The beginning of a long response is enough.
    socket.setEncoding("latin1").on("data", (part) => (received = received.length < 20_000 ? received + part : received));
    socket.on("close", () => finish(false)).on("error", () => finish(false));
  });
}

await main(async () => {
  const many = count("count", 200_000);
  const seed = count("seed", 1 + Math.floor(Math.random() * 1e9));
  const festival = await Festival.make();
  await festival.start();
  const get = async (path) => (await fetch(festival.url + path)).text();
  const description = JSON.parse(await get("/api/openapi.json"));
  const filled = (path) => path.replace(/\{[^}]*\}/g, "1");
  const api = Object.keys(description.paths).map((path) => `/api${filled(path)}`);
  const paths = [...api, "/", "/films", "/films/1?film=2", "/blogs?page=2", "/media/a/b", "/assets/x.js", "/admin/", "/sitemap.xml", "/feed.xml"];
  // Without request ids.
  const seen = async () => (await Promise.all(api.map(get))).map((text) => text.replace(/"request_id":"\w+"/, ""));
  const before = await seen();
  const port = Number(new URL(festival.url).port);
  const requests = right(`127.0.0.1:${port}`, paths);
  const random = numbers(seed);
  const statuses = [];
  const bad = [];
  let sent = 0;
  let taken = 0;
  const begin = performance.now();
  const worker = async () => {
    while (sent < many) {
      sent++;
      const bytes = broken(random.one(requests), random);
      const answer = await send(port, bytes);
      statuses.push(answer.statuses[0] ?? 0);
      // A request may have been accepted although its sender left before the response.
      if (bytes.includes("POST")) taken += Math.max(1, answer.statuses.length);
      if (answer.hangs || answer.statuses.some((status) => status >= 500)) bad.push({ ...answer, bytes });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const seconds = (performance.now() - begin) / 1000;
  console.log(`${sent} requests in ${seconds.toFixed(0)} s, seed ${seed}: ${tally(statuses)}`);
  bad.slice(0, 20).forEach(({ bytes }, at) => writeFileSync(join(tmpdir(), `festival-fuzz-${at}.bin`), bytes));
  check("none gets a 5xx, none hangs", bad.length === 0, bad.length ? `${tally(bad.map((one) => one.statuses.join("+") || "hangs"))}; see ${tmpdir()}/festival-fuzz-*.bin` : "0");
  check("the process still runs", festival.child.exitCode === null && (await festival.get("/readyz")) === 200);
  const after = await seen();
  check("what visitors see is unchanged", after.every((text, at) => text === before[at]), api.filter((_, at) => after[at] !== before[at]).join(", "));
  const rows = (await Promise.all(["film", "delegate"].map((kind) => festival.submissions(kind)))).flat();
  check("there are no more rows than accepted forms", rows.length <= taken, `${rows.length} rows`);
  const { kept, staged } = await festival.files();
  check("every file belongs to a row, none is incomplete", kept.length <= rows.length * 6 && staged.length === 0, `${kept.length} kept, ${staged.length} staged`);
  const memory = festival.memory();
  check(`memory stays below ${MOST_MEMORY} MB`, memory.peak < MOST_MEMORY, `${memory.peak.toFixed(0)} MB at most`);
  await festival.end();
});
