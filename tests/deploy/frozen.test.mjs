// An edition as files behind nginx, and in a browser: node --test tests/deploy/frozen.test.mjs
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { chromium } from "../e2e/node_modules/playwright-core/index.mjs";
import { Festival, pause } from "../faults/support/program.mjs";
import { freePort, root } from "./support/proxy.mjs";

execFileSync(join(root, "tests/support/proxies.sh"), { stdio: "inherit" });
const executablePath = execFileSync(join(root, "tests/e2e/support/chromium.sh"), { encoding: "utf8" }).trim();

/** Everything that a page references: links, scripts, pictures of every size. */
function addressesIn(html) {
  const values = [...html.matchAll(/ (?:href|src|srcset|imagesrcset|poster|data-scripts)="([^"]*)"/g)].map(([, value]) => value);
  return values.flatMap((value) => value.replaceAll("&amp;", "&").split(/[ ,]+/)).filter((address) => /^(\/|http)/.test(address));
}

/** Requests every address that the pages below `start` reference; returns what is broken, and the number of pages. */
async function check(start, isOurs) {
  const [seen, broken, waiting] = [new Set([start]), [], [[start, "the start"]]];
  let pages = 0;
  for (;;) {
    const [address, from] = waiting.pop() ?? [];
    if (!address) return { broken, pages, seen };
    const answer = await fetch(address, { redirect: "manual" });
    const type = answer.headers.get("content-type") ?? "";
    const text = await answer.text();
    if (answer.status !== 200) broken.push(`${answer.status} ${address}, on ${from}`);
    if (!type.startsWith("text/html")) continue;
    pages += 1;
    for (const found of addressesIn(text)) {
      const url = new URL(found, address);
      url.hash = "";
      if (url.origin !== new URL(start).origin || !isOurs(url.pathname) || seen.has(url.href)) continue;
      seen.add(url.href);
      waiting.push([url.href, address]);
    }
    // Files that the page's scripts request after a navigation.
    const { api, data } = JSON.parse(/id="boot-data">([^<]*)</.exec(text)[1]);
    for (const path of Object.keys(data)) {
      const json = await fetch(new URL(api + path, start));
      if (json.status !== 200 || !/json/.test(json.headers.get("content-type"))) broken.push(`${json.status} ${api}${path}, on ${address}`);
    }
  }
}

// In parallel, even with only two cores: scaling the pictures takes longest.
describe("an edition as files", { concurrency: 2 }, () => {
  for (const [name, path] of [
    ["the current edition, as the whole site", ""],
    ["a past edition, in the archive", "/archive/2025"],
  ]) {
    describe(name, () => {
      let festival, nginx, origin, folder;
      before(async () => {
        const port = await freePort();
        origin = `http://127.0.0.1:${port}`;
        folder = mkdtempSync(join(tmpdir(), "festival-frozen-"));
        // The workers of nginx run as another user.
        chmodSync(folder, 0o755);
        const files = join(folder, "site");
        festival = await Festival.make({ settings: { FESTIVAL_PUBLIC_URL: origin }, isEmpty: true });
        await festival.run("seed", join(root, "config/editions/2025.toml"));
        await festival.run("programme", "release");
        if (path) {
          await festival.run("editions", "new", "2026", "--first-day", "2026-10-23", "--last-day", "2026-10-30");
          await festival.run("editions", "activate", "2026");
        }
        await festival.run("editions", "freeze", "2025", files);
        const again = await festival.attempt("editions", "freeze", "2025", files);
        assert.match(again.errors, /has files already; use --force/);
        const configuration = join(folder, "nginx.conf");
        writeFileSync(
          configuration,
          `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
  http { access_log off; server { listen 127.0.0.1:${port}; root ${files}; include ${files}.conf; } }`,
        );
        nginx = spawn("nginx", ["-c", configuration], { stdio: ["ignore", "ignore", "inherit"] });
        while ((await fetch(`${origin}${path}/`).catch(() => null)) === null) {
          assert.equal(nginx.exitCode, null, "nginx runs");
          await pause(50);
        }
      });
      after(async () => {
        nginx?.kill("SIGTERM");
        await festival?.end();
        rmSync(folder, { recursive: true, force: true });
      });

      test("no link of any page is broken", async () => {
        const isOurs = (pathname) => !path || pathname === path || pathname.startsWith(`${path}/`) || /^\/(assets|media)\/|^\/[^/]+\.\w+$/.test(pathname);
        const { broken, pages, seen } = await check(`${origin}${path}/`, isOurs);
        assert.deepEqual(broken, []);
        assert.ok(pages > 20 && [...seen].some((address) => address.includes("/media/")), `${pages} pages`);
        const bytes = async (address) => (await (await fetch(address)).arrayBuffer()).byteLength;
        const pictures = [...seen].filter((address) => /\?w=\d+$/.test(address));
        const sizes = await Promise.all(pictures.map(async (address) => [await bytes(address), await bytes(address.split("?")[0])]));
        assert.ok(sizes.every(([smaller, whole]) => smaller <= whole) && sizes.some(([smaller, whole]) => smaller < whole / 2), JSON.stringify(sizes));
        const missing = await fetch(`${origin}${path}/no/such/page`);
        assert.deepEqual([missing.status, (await missing.text()).includes("Page Not Found")], [404, true]);
      });

      test("a browser opens home, films, a film and the programme, and what it clicks", async () => {
        const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
        try {
          const page = await browser.newPage();
          const wrong = [];
          page.on("pageerror", (error) => wrong.push(error.message));
          page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
          page.on("response", (response) => response.status() >= 400 && wrong.push(`${response.status()} ${response.url()}`));
          for (const at of ["/", "/films", "/programme", "/team"]) {
            await page.goto(origin + path + at, { waitUntil: "networkidle" });
            await page.locator("main h1, main h2").first().waitFor();
          }
          // Without the document: the data come from a file.
          await page.goto(`${origin}${path}/team`, { waitUntil: "networkidle" });
          await page.evaluate(() => Object.assign(window, { isSame: true }));
          await page.locator(`footer a[href^="${path}/"]`).first().click();
          await page.waitForURL((url) => !url.pathname.endsWith("/team"));
          assert.ok(await page.evaluate(() => window.isSame), "the click loaded the document anew");
          // A film by its address, whose query no server reads.
          await page.goto(`${origin}${path}/films`, { waitUntil: "networkidle" });
          const film = await page.locator('main a[href*="?film="]').first().getAttribute("href");
          await page.goto(origin + film, { waitUntil: "networkidle" });
          await page.locator("dialog[open]").waitFor();
          await page.goto(`${origin}${path}/contact-us`, { waitUntil: "networkidle" });
          assert.ok((await page.locator("main").innerText()).includes("This form is closed"));
          assert.equal(await page.locator("main form").count(), 0);
          assert.equal(await page.getByRole("complementary", { name: "Archive" }).count(), path ? 1 : 0);
          assert.deepEqual(wrong, []);
        } finally {
          await browser.close();
        }
      });
    });
  }
});
