// Forms as clients send them: texts and files in a multipart body, over a socket.
import { Agent, request } from "node:http";
import { randomBytes, randomUUID } from "node:crypto";

/** The file fields of each form, and those that accept documents. */
export const FILE_FIELDS = {
  film: ["film_poster", "director_photo", "producer_consent", "documentation", "signature", "screenshot"],
  delegate: ["image", "screenshot", "signature"],
};
export const TAKES_PDF = new Set(["producer_consent", "documentation"]);
export const ADDRESS = { film: "/api/changed/", delegate: "/api/delegate-form/" };

/** The texts of a valid form; `title` makes it unique, and its address, because one address gets a few receipts only. */
export function texts(kind, title = randomUUID()) {
  if (kind === "delegate") {
    return {
      name: "Delegate of the tests", email: `${title}@example.org`, mobile: "+91 90000 00000", address: "12 Jetty Road",
      age: "33", occupation: "Ferry pilot", category: "student", transaction_details: title,
    };
  }
  return {
    title_original: "മഴ", title_english: title, film_language: "Malayalam", subtitles: "Yes", film_type: "Fiction",
    is_first_or_second_feature: "First", duration_minutes: "92", year_of_production: "2024", country_of_origin: "India",
    technical_features: "Colour", origination_format: "2K", presentation_format: "DCP", producer_name: "P. Producer",
    producer_email: "producer@example.org", producer_mobile: "+91 90000 00001", director_name: "D. Director",
    director_email: "director@example.org", director_mobile: "+91 90000 00002", biography: "She makes films.",
    screener_link: "https://screener.example/1", screener_link_password: "", synopsis_long: "A river.",
    synopsis_short: "Rain.", stills_link: "https://stills.example/1", cast_and_crew: "Nobody", name_of_submitter: "S. Sender",
    correspondence_contact: "+91 90000 00003", correspondence_email: `${title}@example.org`,
  };
}

/** The unique text of a submission of `kind`, from a row of the export. */
export const titleOf = (kind, row) => (kind === "film" ? row.title_english : row.transaction_details);

/** The body of a form in pieces, without copying the files. */
export function body(values, files) {
  const boundary = `----faults${randomBytes(12).toString("hex")}`;
  const head = Object.entries(values)
    .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join("");
  const pieces = [Buffer.from(head)];
  for (const [field, { name, bytes }] of Object.entries(files)) {
    const says = `form-data; name="${field}"; filename="${name}"`;
    pieces.push(Buffer.from(`--${boundary}\r\nContent-Disposition: ${says}\r\nContent-Type: application/octet-stream\r\n\r\n`));
    pieces.push(bytes, Buffer.from("\r\n"));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { type: `multipart/form-data; boundary=${boundary}`, pieces };
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/**
 * Sends a form and reads the response: `{status, headers, body, seconds}`. A broken connection is status 0. A response
 * before the end of the form counts.
 */
export function send(url, kind, { values, files, key, timeout = 120_000 }) {
  const begin = performance.now();
  const { type, pieces } = body(values, files);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const headers = { "Content-Type": type, "Content-Length": length, ...(key ? { "Idempotency-Key": key } : {}) };
  return new Promise((done) => {
    let answered = false;
    const failed = (error) => answered || done({ status: 0, headers: {}, body: { error: String(error) }, seconds: since(begin) });
    const asked = request(url + ADDRESS[kind], { method: "POST", headers, agent, timeout }, (answer) => {
      answered = true;
      const read = [];
      const finish = () => {
        const text = Buffer.concat(read).toString();
        let parsed;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = { unreadable: text };
        }
        done({ status: answer.statusCode, headers: answer.headers, body: parsed, seconds: since(begin) });
      };
      answer.on("data", (part) => read.push(part)).on("end", finish).on("error", finish).on("aborted", finish);
    });
    asked.on("error", failed).on("timeout", () => asked.destroy(new Error("no response in time")));
    write(asked, pieces, () => answered);
  });
}

const since = (begin) => (performance.now() - begin) / 1000;

/** Waits until the connection accepts more data or is closed. */
function room(asked) {
  return new Promise((done) => {
    const go = () => {
      asked.off("drain", go).off("close", go);
      done();
    };
    asked.on("drain", go).on("close", go);
  });
}

/** Writes piece by piece as the connection accepts them. */
async function write(asked, pieces, answered) {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += 65536) {
      if (asked.destroyed || answered()) return;
      if (!asked.write(piece.subarray(at, at + 65536))) await room(asked);
    }
  }
  asked.end();
}
