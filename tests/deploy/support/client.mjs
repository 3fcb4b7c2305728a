// Requests to a proxy by HTTP/2 and by HTTP/1.1, from any address of this machine.
import { connect as connectHttp2 } from "node:http2";
import { request } from "node:http";
import { connect as connectTls } from "node:tls";
import { HOST } from "./proxy.mjs";

/** A connection by TLS that offers `protocols`, from the address `from`. */
function tls(proxy, protocols, from) {
  return connectTls({ host: "127.0.0.1", port: proxy.ports.https, servername: HOST, localAddress: from, ALPNProtocols: protocols, rejectUnauthorized: false });
}

/** Collects a response: `{status, headers, bytes, text, json()}`. */
function response(status, headers, parts) {
  const bytes = Buffer.concat(parts);
  return { status, headers, bytes, text: bytes.toString(), json: () => JSON.parse(bytes.toString()) };
}

/**
 * Sends a request by HTTP/2, on a connection of its own. `body` is a list of pieces, or a function that writes to the
 * stream and ends it.
 */
export function http2(proxy, path, { method = "GET", headers = {}, body, from, host = HOST } = {}) {
  return new Promise((done, fail) => {
    const session = connectHttp2(`https://${host}`, { createConnection: () => tls(proxy, ["h2"], from) });
    session.once("error", fail);
    const stream = session.request({ ":method": method, ":path": path, ":authority": host, ...headers }, { endStream: !body });
    const parts = [];
    let head;
    const finish = () => {
      session.destroy();
      head ? done(response(head[":status"], head, parts)) : fail(new Error("the stream ended without a response"));
    };
    stream.once("response", (received) => (head = received));
    // After an early answer the stream is reset.
    stream.on("data", (part) => parts.push(part)).once("end", finish).once("error", (error) => (head ? finish() : fail(error)));
    if (typeof body === "function") body(stream);
    else if (body) write(stream, body);
  });
}

/** Writes pieces as the stream accepts them. */
async function write(stream, pieces) {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += 65_536) {
      if (stream.destroyed) return;
      if (!stream.write(piece.subarray(at, at + 65_536))) {
        await room(stream);
      }
    }
  }
  stream.end();
}

/** Waits until the stream accepts more, or is closed. */
export function room(stream) {
  return new Promise((done) => {
    const go = () => {
      stream.off("drain", go).off("close", go);
      done();
    };
    stream.on("drain", go).on("close", go);
  });
}

/** A GET by HTTP/1.1, with every header as it was sent; by plain HTTP if `isPlain`. */
export function http1(proxy, path, { headers = {}, host = HOST, isPlain = false } = {}) {
  return new Promise((done, fail) => {
    const all = { Host: host, ...headers };
    const options = isPlain
      ? { host: "127.0.0.1", port: proxy.ports.http, path, headers: all }
      : { createConnection: () => tls(proxy, ["http/1.1"]), path, headers: { ...all, Connection: "close" } };
    const sent = request(options, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part)).once("end", () => {
        const raw = answer.rawHeaders;
        const names = raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
        done({ ...response(answer.statusCode, answer.headers, parts), names });
      });
    });
    sent.once("error", fail).end();
  });
}
