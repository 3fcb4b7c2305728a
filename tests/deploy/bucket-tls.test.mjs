// A bucket behind TLS, with a certificate from its own authority: node --test tests/deploy/bucket-tls.test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createServer } from "node:tls";
import { Store } from "../faults/support/cluster.mjs";
import { Ledger, draw, small } from "../faults/support/ledger.mjs";
import { Festival, pause } from "../faults/support/program.mjs";

const folder = mkdtempSync(join(tmpdir(), "festival-tls-"));
const at = (name) => join(folder, name);
const openssl = (...args) => execFileSync("openssl", args, { stdio: "ignore" });
const CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Makes an authority: its certificate is `<name>.pem`. */
function authority(name) {
  openssl("req", "-x509", ...CURVE, "-days", "2", "-subj", `/CN=${name}`, "-addext", "keyUsage=critical,keyCertSign", "-keyout", at(`${name}.key`), "-out", at(`${name}.pem`));
}

/** Creates a certificate of the authority "own" for this name of the store. */
function certificate(name, subject, days) {
  openssl("req", ...CURVE, "-subj", "/CN=store", "-keyout", at(`${name}.key`), "-out", at(`${name}.csr`));
  writeFileSync(at("extensions"), `subjectAltName=${subject}\nbasicConstraints=CA:FALSE\n`);
  openssl("x509", "-req", "-in", at(`${name}.csr`), "-CA", at("own.pem"), "-CAkey", at("own.key"), "-days", days, "-extfile", at("extensions"), "-out", at(`${name}.pem`));
  return { key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.pem`)) };
}

let store, server, festival, certificates;

/** The output of `festival check` with these settings, and the seconds that it took. */
async function checked(settings) {
  const begin = performance.now();
  const { code, out, errors } = await festival.with(settings).attempt("check");
  return { code, text: out + errors, seconds: (performance.now() - begin) / 1000 };
}

before(async () => {
  authority("own");
  authority("other");
  certificates = {
    good: certificate("good", "IP:127.0.0.1", "2"),
    named: certificate("named", "DNS:store.example", "2"),
    expired: certificate("expired", "IP:127.0.0.1", "0"),
  };
  await pause(1100); // Until the certificate "expired" is no longer valid.
  store = await Store.make();
  server = createServer(certificates.good, (client) => {
    const behind = connect(store.port, "127.0.0.1");
    client.on("error", () => behind.destroy()).pipe(behind).on("error", () => client.destroy()).pipe(client);
  });
  server.on("tlsClientError", () => {});
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const settings = { ...store.settings(`https://127.0.0.1:${server.address().port}`), FESTIVAL_S3__CA_FILE: at("own.pem") };
  festival = await Festival.make({ settings });
});
after(async () => {
  await festival?.end();
  server?.close();
  await store?.end();
  rmSync(folder, { recursive: true, force: true });
});

test("files go to the bucket and come back", async () => {
  await festival.start();
  const ledger = new Ledger();
  for (let number = 0; number < 3; number++) assert.equal((await ledger.send(festival.url, draw(small))).status, 201);
  assert.equal(await festival.get("/readyz"), 200);
  assert.ok(store.sizes().length >= 3, "they are in the bucket");
  const exported = at("files.zip");
  await festival.run("forms", "export", "film", "-o", at("films.json"), "--files", exported);
  await festival.kill("SIGTERM");
  assert.deepEqual(await checked({}).then(({ code }) => code), 0);
});

for (const [name, use, settings, sentence] of [
  ["an unknown authority", "good", { FESTIVAL_S3__CA_FILE: "" }, "its certificate is from an authority that is not trusted; if that is your own, set s3.ca_file"],
  ["another authority", "good", { FESTIVAL_S3__CA_FILE: at("other.pem") }, "its certificate is from an authority that is not trusted; if that is your own, set s3.ca_file"],
  ["another name", "named", {}, "its certificate is for another name than the one in s3.endpoint"],
  ["an expired certificate", "expired", {}, "its certificate has expired, or the clock of this machine is wrong"],
]) {
  test(`${name} is said at once`, async () => {
    server.setSecureContext(certificates[use]);
    const { code, text, seconds } = await checked(settings);
    server.setSecureContext(certificates.good);
    assert.equal(code, 1);
    assert.match(text, /^D008: /m);
    assert.ok(text.includes(sentence), text);
    assert.ok(seconds < 8, `${seconds} s: it is not tried again and again`);
  });
}

test("a file without certificates is refused", async () => {
  for (const [file, cause] of [[at("own.key"), "it has no certificate"], [at("missing.pem"), "cannot be used"]]) {
    const { code, text } = await checked({ FESTIVAL_S3__CA_FILE: file });
    assert.notEqual(code, 0);
    assert.ok(text.includes("s3.ca_file") && text.includes(cause), text);
  }
});
