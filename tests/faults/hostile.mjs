// Sends every hostile, unusual and broken file of a folder in every file field; checks responses, memory and time:
// node tests/faults/hostile.mjs --folder FOLDER. The files lie in its folders hostile,
// images and pdfs. Everything stays on 127.0.0.1.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { picture } from "./support/files.mjs";
import { FILE_FIELDS, TAKES_PDF, send, texts } from "./support/forms.mjs";
import { rows, storeProblems } from "./support/integrity.mjs";
import { Festival, pause, program } from "./support/program.mjs";
import { check, impossible, main, option, tally } from "./support/report.mjs";

const folder = resolve(option("folder", "hostile-files"));
const FOLDERS = ["hostile", "images", "pdfs"];
/** The memory that one file may cost, in MB. */
const MOST_GROWTH = 60;
/** Data that must be removed from pictures; of Exif, the orientation stays. */
const GONE = ["<?php", "phpinfo", "iPhone", "exif:GPS", "http://ns.adobe.com/xap", "Photoshop 3.0", "tEXt", "iTXt", "zTXt"];
/** Pictures that are too large. A truncated one is stored; one with a bomb in its metadata is stored without the bomb. */
const BROKEN = /_bomb|64250/;
const BOMB = /bomb|64250|decompression_dos/;

const starts = (bytes, hex) => bytes.subarray(0, hex.length / 2).toString("hex") === hex;

/** The expected outcome for `bytes`, by their content. */
function expectation(name, bytes, takesPdf) {
  if (BROKEN.test(name)) return "refused";
  const isPicture = starts(bytes, "ffd8ff") || starts(bytes, "89504e470d0a1a0a") || (starts(bytes, "52494646") && bytes.toString("latin1", 8, 12) === "WEBP");
  if (isPicture) return "kept";
  return starts(bytes, "255044462d") && takesPdf ? "kept" : "refused";
}

const allowedTypes = (takesPdf) => (takesPdf ? /JPEG, PNG, WebP or PDF/ : /JPEG, PNG or WebP/);

/** Whether the response is as expected; an error must name what is allowed, or what is wrong with the picture. */
function right(expected, answer, field, name) {
  if (expected === "kept") return answer.status === 201;
  const message = answer.body.fields?.find((wrong) => wrong.field === field)?.message ?? "";
  const isAboutPicture = /damaged|pixels|unusual|moving/.test(message);
  return answer.status === 422 && (allowedTypes(TAKES_PDF.has(field)).test(message) || (BROKEN.test(name) && isAboutPicture));
}

/** The files in the store that are not in `before`. */
async function arrived(festival, before) {
  const { kept } = await festival.files();
  return kept.filter(({ path }) => !before.has(path));
}

async function sendEverywhere(festival, name, bytes) {
  const seen = { statuses: [], wrong: [], slowest: 0, growth: 0, dirty: new Set(), messages: new Set() };
  const validFile = { name: "a.png", bytes: picture(8) };
  for (const kind of ["film", "delegate"]) {
    for (const field of FILE_FIELDS[kind]) {
      const files = Object.fromEntries(FILE_FIELDS[kind].map((each) => [each, each === field ? { name, bytes } : validFile]));
      const before = new Set((await festival.files()).kept.map(({ path }) => path));
      const memory = festival.memory();
      const answer = await send(festival.url, kind, { values: texts(kind), files });
      const expected = expectation(name, bytes, TAKES_PDF.has(field));
      seen.statuses.push(answer.status);
      seen.slowest = Math.max(seen.slowest, answer.seconds);
      // Only growth beyond the highest peak so far is visible, so small files go first.
      seen.growth = Math.max(seen.growth, festival.memory().peak - Math.max(memory.peak, memory.now));
      if (!right(expected, answer, field, name)) seen.wrong.push(`${field}: ${expected} was expected, ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
      if (answer.status !== 201) seen.messages.add(answer.body.fields?.find((wrong) => wrong.field === field)?.message ?? answer.body.error);
      const expectedFiles = answer.status === 201 ? FILE_FIELDS[kind].length : 0;
      const came = await arrived(festival, before);
      if (came.length !== expectedFiles) seen.wrong.push(`${field}: ${came.length} files were kept`);
      for (const { path } of came.filter(({ path }) => !path.endsWith(".pdf"))) {
        const kept = readFileSync(path).toString("latin1");
        for (const trace of GONE) if (kept.includes(trace)) seen.dirty.add(trace.replace(/\0/g, ""));
      }
    }
  }
  return seen;
}

if (!existsSync(folder)) impossible(`there is no folder ${folder}; name one with --folder`);
await main(async () => {
  const festival = await Festival.make();
  await festival.start();
  console.log(program);
  // Warm up: code and tables that are loaded once do not count as growth.
  await sendEverywhere(festival, "warm.png", picture(200));
  const start = festival.memory().now;
  for (const sub of FOLDERS.filter((sub) => existsSync(join(folder, sub)))) {
    for (const name of readdirSync(join(folder, sub)).sort()) {
      const bytes = readFileSync(join(folder, sub, name));
      const seen = await sendEverywhere(festival, name, bytes);
      const wrong = [...seen.wrong, ...[...seen.dirty].map((trace) => `${trace} is still in it`)];
      if (BOMB.test(name) && seen.growth >= MOST_GROWTH) wrong.push("too much memory");
      check(`${sub}/${name}`, wrong.length === 0, `${tally(seen.statuses)}, slowest ${(seen.slowest * 1000).toFixed(0)} ms, memory +${seen.growth.toFixed(0)} MB`);
      for (const message of seen.messages) console.log(`      "${message}"`);
      for (const sentence of wrong) console.log(`      ${sentence}`);
    }
  }
  const wrong = await storeProblems(festival, await rows(festival));
  check("only acknowledged submissions are stored", wrong.length === 0, wrong.join("; "));
  await pause(1000);
  const memory = festival.memory();
  console.log(`memory: ${start.toFixed(0)} MB at the start, ${memory.now.toFixed(0)} MB at the end, ${memory.peak.toFixed(0)} MB at most`);
  await festival.end();
});
