// Two thousand films with posters: the size of pages, their cost for the server, and how long they block a slow phone.
// `make bench` runs it; alone: node tests/bench/films.mjs [--program target/release/festival] [--films 2000]
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { manyFilms } from "../support/many-films.mjs";

const CATEGORIES = 3;
/** How many times slower the phone is than this machine. */
const SLOWER = 4;
const RUNS = 3;
/** How many films' addresses are requested, each for the first time. */
const ADDRESSES = 200;

const root = resolve(import.meta.dirname, "../..");
const { chromium } = createRequire(join(root, "tests/e2e/package.json"))("@playwright/test");

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function waitForServer(url) {
  for (let attempt = 0; attempt < 1000; attempt++) {
    if (await fetch(url).then((answer) => answer.ok, () => false)) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`no response from ${url}`);
}

const json = async (url) => (await fetch(url)).json();
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** The bytes of a response as transferred, by `http.get`: `fetch` would decompress them. */
function size(url, encoding) {
  const out = execFileSync("curl", ["-s", "-o", "/dev/null", "-w", "%{size_download}", "-H", `Accept-Encoding: ${encoding}`, url]);
  return Number(out) / 1000;
}

/** Opens a page as a slow phone: paint time, blocked time, elements, and blocked time while scrolling to the end. */
async function measurePage(browser, url) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, reducedMotion: "reduce" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.addInitScript(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: "longtask", buffered: true });
  });
  const blocked = () => page.evaluate(() => globalThis.tasks.splice(0).reduce((sum, duration) => sum + Math.max(0, duration - 50), 0));
  await page.goto(url, { waitUntil: "networkidle" });
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  const opening = await blocked();
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  let [height, still] = [0, 0];
  while (still < 3) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const now = await page.evaluate(() => document.body.scrollHeight);
    still = now === height ? still + 1 : 0;
    height = now;
  }
  const scrolling = await blocked();
  await context.close();
  return { paint, opening, elements, scrolling };
}

/** Measures and prints. */
export async function films(program, count) {
  const scratch = mkdtempSync(join(tmpdir(), "festival-films-"));
  const data = join(scratch, "data");
  mkdirSync(data);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, FESTIVAL_DATA_DIR: data, FESTIVAL_LOG__FILTER: "warn", ROCKET_PORT: String(port) };
  let server;
  let browser;
  try {
    execFileSync(program, ["seed", manyFilms(scratch, count, CATEGORIES)], { cwd: scratch, env, stdio: "ignore" });
    server = spawn(program, ["serve"], { cwd: scratch, env, stdio: ["ignore", "ignore", "inherit"] });
    await waitForServer(`${url}/api/site/`);
    const [{ id }] = await json(`${url}/api/categories/`);
    const list = await json(`${url}/api/categories/${id}/films/`);
    const pages = { "/films": "/films", "a category": `/films/${id}`, "a film": `/films/${id}?film=${list.at(-1).id}` };

    const begin = performance.now();
    for (const film of list.slice(0, ADDRESSES)) await (await fetch(`${url}/films/${id}?film=${film.id}`)).arrayBuffer();
    const each = (performance.now() - begin) / Math.min(ADDRESSES, list.length);
    console.log(`\n${count} films in ${CATEGORIES} categories; on a page slowed ${SLOWER} times, median of ${RUNS}`);
    console.log(`a film's address, first request: ${each.toFixed(1)} ms`);
    console.log(`${"".padEnd(14)}  kB plain  kB brotli  elements  paint ms  blocked ms  blocked while scrolling ms`);
    const executablePath = execFileSync(join(root, "tests/e2e/support/chromium.sh"), { encoding: "utf8" }).trim();
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    for (const [name, path] of Object.entries(pages)) {
      const runs = [];
      for (let run = 0; run < RUNS; run++) runs.push(await measurePage(browser, url + path));
      const figure = (key) => median(runs.map((run) => run[key])).toFixed(0);
      const cells = [size(url + path, "identity").toFixed(0), size(url + path, "br").toFixed(1), figure("elements"), figure("paint"), figure("opening"), figure("scrolling")];
      console.log(name.padEnd(14) + cells.map((cell, index) => cell.padStart([10, 11, 10, 10, 12, 28][index])).join(""));
    }
  } finally {
    await browser?.close();
    server?.kill("SIGTERM");
    await new Promise((done) => (server ? server.on("close", done) : done()));
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const options = { program: { type: "string", default: join(root, "target/release/festival") }, films: { type: "string", default: "2000" } };
  const { values } = parseArgs({ options });
  await films(resolve(values.program), Number(values.films));
}
