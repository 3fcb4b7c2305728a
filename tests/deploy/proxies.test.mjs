// The real program behind the real proxies, with the files of config/deploy: node --test tests/deploy/proxies.test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { pdf, picture, sideFor } from "../faults/support/files.mjs";
import { ADDRESS, FILE_FIELDS, TAKES_PDF, body, texts } from "../faults/support/forms.mjs";
import { Festival, pause } from "../faults/support/program.mjs";
import { http1, http2, room } from "./support/client.mjs";
import { HOST, apache, caddy, freePort, haproxy, nginx, root } from "./support/proxy.mjs";

/** Just under 5 MiB, the limit of a file. */
const LARGE = 5 * 1024 * 1024 - 2_000;
/** The forms that one client may send in ten minutes. */
const FORMS = 3;

execFileSync(join(root, "tests/support/proxies.sh"), { stdio: "inherit" });

/** A film submission with its six files of `bytes` each. */
function submission(bytes = LARGE) {
  const files = FILE_FIELDS.film.map((field) => [field, { name: "file.bin", bytes: TAKES_PDF.has(field) ? pdf(bytes) : picture(sideFor(bytes)) }]);
  const { type, pieces } = body(texts("film"), Object.fromEntries(files));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { method: "POST", headers: { "content-type": type, "content-length": length }, body: pieces };
}

/** A message to the organisers. */
function message(from, headers = {}) {
  const json = Buffer.from(JSON.stringify({ name: "Visitor", email: "visitor@example.org", message: `When? ${Math.random()}` }));
  return { method: "POST", from, headers: { "content-type": "application/json", "content-length": json.length, ...headers }, body: [json] };
}

let festival;
before(async () => {
  const port = await freePort();
  const settings = {
    ROCKET_PORT: String(port),
    FESTIVAL_PUBLIC_URL: `https://${HOST}`,
    FESTIVAL_TRUSTED_PROXIES: '["127.0.0.1"]',
    FESTIVAL_METRICS_ADDRESS: `127.0.0.1:${await freePort()}`,
    FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES: String(FORMS),
  };
  festival = await Festival.make({ settings, isEmpty: true });
  festival.port = port;
  await festival.run("seed", join(root, "tests/fixtures/2025.toml"));
  await festival.start();
});
after(() => festival?.end());

const PROXIES = [
  // Its name, how it starts, the second number of its clients' addresses, and its status while the program is stopped.
  ["nginx", nginx, 2, 502],
  ["Caddy", caddy, 3, 502],
  ["Apache", apache, 4, 503],
  ["HAProxy", haproxy, 5, 503],
];

for (const [name, start, number, unavailable] of PROXIES) {
  describe(name, () => {
    let proxy;
    before(async () => (proxy = await start(festival.port)));
    after(() => proxy?.stop());
    /** A client address that no other test uses. */
    const client = (last) => `127.0.${number}.${last}`;

    test("pages are served by TLS and HTTP/2, and http is sent there", async () => {
      const page = await http2(proxy, "/");
      assert.equal(page.status, 200);
      assert.match(page.text, /<html lang="en"/);
      assert.match(page.headers["strict-transport-security"], /max-age=/);
      const plain = await http1(proxy, "/films?category=1", { isPlain: true });
      assert.equal(plain.status, 308);
      assert.equal(plain.headers.location.replace(`:${proxy.ports.https}`, ""), `https://${HOST}/films?category=1`);
      const www = await http2(proxy, "/films?category=1", { host: `www.${HOST}` });
      assert.deepEqual([www.status, www.headers.location], [308, `https://${HOST}/films?category=1`]);
    });

    test("headers come once, and bodies are compressed once, by the program", async () => {
      for (const path of ["/", "/api/site/", "/favicon.ico", "/nothing-here"]) {
        const { names } = await http1(proxy, path);
        const doubled = names.filter((header, at) => names.indexOf(header) !== at);
        assert.deepEqual(doubled, [], path);
        assert.ok(names.includes("content-security-policy") && names.includes("x-request-id"), path);
      }
      const [plain, compressed] = [await http1(proxy, "/api/site/"), await http1(proxy, "/api/site/", { headers: { "Accept-Encoding": "br, gzip" } })];
      assert.equal(compressed.headers["content-encoding"], "br");
      assert.deepEqual(JSON.parse(brotliDecompressSync(compressed.bytes)), plain.json());
      // Responses that the program does not compress stay uncompressed.
      const picture = await http1(proxy, "/favicon.ico", { headers: { "Accept-Encoding": "gzip" } });
      assert.equal(picture.headers["content-encoding"], undefined);
    });

    test("a part of a document is sent for a range", async () => {
      const [path] = /\/media\/[^"]+\.pdf/.exec((await http2(proxy, "/api/kottaka-magazines/")).text);
      const part = await http2(proxy, path, { headers: { range: "bytes=0-4" } });
      assert.deepEqual([part.status, part.text], [206, "%PDF-"]);
      assert.match(part.headers["content-range"], /^bytes 0-4\//);
    });

    test("a film with six files of 5 MB arrives", async () => {
      const answer = await http2(proxy, ADDRESS.film, { ...submission(), from: client(1) });
      assert.equal(answer.status, 201, answer.text);
      assert.match(answer.json().reference, /\d/);
    });

    test("a form reaches the program while it is being sent", async () => {
      const { method, headers, body: pieces } = submission(400_000);
      const all = Buffer.concat(pieces);
      const staged = async () => (await festival.files()).staged.reduce((sum, file) => sum + file.size, 0);
      const answer = await http2(proxy, ADDRESS.film, {
        method, headers, from: client(2),
        body: async (stream) => {
          stream.write(all.subarray(0, all.length / 2));
          // With a proxy that buffers the form until it is complete this would wait for ever.
          while ((await staged()) === 0) await pause(20);
          stream.end(all.subarray(all.length / 2));
        },
      });
      assert.equal(answer.status, 201, answer.text);
    });

    test("a form beyond the limit is refused with an explanation", async () => {
      const byProgram = await http2(proxy, ADDRESS.film, { ...submission(6 * 1024 * 1024), from: client(3) });
      assert.equal(byProgram.status, 413);
      assert.match(byProgram.json().error, /MB/);
      const headers = { "content-type": "multipart/form-data; boundary=x", "content-length": 500 * 1024 * 1024 };
      const byProxy = await http2(proxy, ADDRESS.film, { method: "POST", headers, from: client(3), body: (stream) => flood(stream) });
      assert.equal(byProxy.status, 413);
      assert.match(byProxy.text, /^This is too large\. Please choose smaller files\./);
    });

    test("organisers may send larger files than visitors", async () => {
      const headers = { "content-type": "multipart/form-data; boundary=x", "content-length": 60 * 1024 * 1024 };
      const send = (path) => http2(proxy, path, { method: "POST", headers, body: (stream) => flood(stream, 60 * 1024 * 1024) });
      // Nobody is signed in: the response comes from the program.
      const answer = await send("/admin/magazines/new");
      assert.ok(answer.status !== 413 && answer.headers["x-request-id"], `${answer.status}`);
    });

    test("limits count the visitor's address, whatever the visitor says", async () => {
      const [one, other] = [client(4), client(5)];
      for (let form = 0; form < FORMS; form++) {
        const forged = { "x-forwarded-for": `198.51.100.${form}` };
        assert.equal((await http2(proxy, "/api/contact/", message(one, forged))).status, 200);
      }
      assert.equal((await http2(proxy, "/api/contact/", message(one, { "x-forwarded-for": "198.51.100.99" }))).status, 429);
      assert.equal((await http2(proxy, "/api/contact/", message(other))).status, 200);
    });

    test("metrics cannot be reached", async () => {
      const { status, text } = await http2(proxy, "/metrics");
      assert.equal(status, 404);
      assert.doesNotMatch(text, /festival_requests_total/);
    });

    test("the access log has the visitor's address and no query", async () => {
      const path = `/films/${number}`;
      await http2(proxy, `${path}?name=Asha&page=secret`, { from: client(6), headers: { referer: `https://${HOST}/x?from=secret`, cookie: "a=secret" } });
      let lines = [];
      while (!lines.some((line) => line.includes(client(6)))) lines = await proxy.logged(1);
      const line = lines.find((line) => line.includes(client(6)));
      assert.ok(line.includes(path), line);
      assert.doesNotMatch(lines.join("\n"), /secret|Asha|category=1|\?/);
    });

    test("visitors see a page while the program is stopped, and the site when it is back", async () => {
      await festival.kill("SIGTERM");
      try {
        const page = await http2(proxy, "/films?name=secret");
        assert.equal(page.status, unavailable);
        assert.match(page.text, /Back in a moment/);
        assert.match(page.text, /location\.reload/);
        assert.equal(page.headers["cache-control"], "no-store");
        assert.ok(Number(page.headers["retry-after"]) > 0);
        assert.match(page.headers["content-type"], /^text\/html/);
        const form = await http2(proxy, "/api/contact/", message(client(7)));
        assert.equal(form.status, unavailable);
        assert.match(form.text, /was not received/);
        assert.doesNotMatch(form.text, /reload|refresh/);
      } finally {
        await festival.start();
      }
      assert.equal((await http2(proxy, "/")).status, 200);
      // The proxy's own messages about it contain no queries either.
      assert.doesNotMatch(proxy.errors, /secret/);
      assert.equal((await http2(proxy, "/unavailable.html")).status, 404);
    });
  });
}

test("nginx answers 429 to an address or an IPv6 network that sends too many requests", async () => {
  const proxy = await nginx(festival.port, [
    // A rate that even slow machines reach.
    ["rate=100r/s", "rate=1r/m"],
    ["burst=1000", "burst=4"],
    ["server_tokens off;", "server_tokens off; set_real_ip_from 127.0.0.0/8; real_ip_header X-Test-Address;"],
  ]);
  try {
    const ask = (address) => http2(proxy, "/api/site/", { headers: { "x-test-address": address } });
    const statuses = async (...addresses) => {
      const all = [];
      for (const address of addresses) all.push((await ask(address)).status);
      return all;
    };
    const within = [200, 200, 200, 200, 200];
    assert.deepEqual(await statuses(...Array(7).fill("198.51.100.1")), [...within, 429, 429]);
    assert.deepEqual(await statuses("198.51.100.2"), [200], "another client");
    assert.deepEqual(await statuses(...Array.from({ length: 7 }, (_, host) => `2001:db8:0:1::${host + 10}`)), [...within, 429, 429]);
    assert.deepEqual(await statuses("2001:db8:0:2::10"), [200], "another network");
    const refused = await ask("198.51.100.1");
    assert.match(refused.text, /Too many requests/);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
  } finally {
    await proxy.stop();
  }
});

test("a cache in front of the program stores no redirect to https and no error, and stores what it may", async () => {
  const proxy = await nginx(festival.port, [
    ["upstream festival {", "proxy_cache_path cache keys_zone=shared:1m;\nupstream festival {"],
    // As a content delivery network: by host and address, whatever the scheme.
    ["    proxy_http_version 1.1;", "    proxy_cache shared;\n    proxy_cache_key $host$request_uri;\n    add_header X-Cache $upstream_cache_status always;\n    proxy_http_version 1.1;"],
  ]);
  try {
    for (const path of ["/", "/films", "/api/site/", "/sitemap.xml", "/favicon.ico", "/nothing-here", "/archive/1999/films", "/admin/"]) {
      const plain = await http1(proxy, path, { isPlain: true });
      assert.equal(plain.status, 308, path);
      const encrypted = await http1(proxy, path);
      assert.ok([200, 303, 404].includes(encrypted.status), `${path}: ${encrypted.status}`);
      assert.equal((await http1(proxy, path, { isPlain: true })).headers["x-cache"] === "HIT", ["/api/site/", "/sitemap.xml", "/favicon.ico"].includes(path), path);
      const picture = await http1(proxy, "/media/nothing-here.webp");
      assert.deepEqual([picture.status, picture.headers["x-cache"]], [404, "MISS"]);
    }
  } finally {
    await proxy.stop();
  }
});

test("all files name the same limits", () => {
  const limits = { "nginx.conf": /max_body_size (\d+)m/g, Caddyfile: /max_size (\d+)MiB/g, "apache.conf": /Length} -gt (\d+)/g, "haproxy.cfg": /body_size gt (\d+)/g };
  for (const [name, pattern] of Object.entries(limits)) {
    const named = [...readFileSync(join(root, "config/deploy", name), "utf8").matchAll(pattern)].map(([, size]) => Number(size));
    const bytes = named.map((size) => (size < 1_000 ? size * 1024 * 1024 : size));
    assert.deepEqual(new Set(bytes), new Set([41_943_040, 209_715_200]), name);
  }
});

/** Writes `total` zero bytes, as long as somebody reads them. */
async function flood(stream, total = Number.POSITIVE_INFINITY) {
  const piece = Buffer.alloc(65_536);
  stream.on("error", () => {});
  for (let sent = 0; sent < total && !stream.destroyed; sent += piece.length) {
    if (!stream.write(piece)) await room(stream);
  }
  stream.end();
}
