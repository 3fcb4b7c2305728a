// Generated files to send: PNG pictures of noise, and documents of random bytes.
import { createHash, randomBytes } from "node:crypto";
import { crc32 as zlibCrc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** SHA-256 in hexadecimal. */
export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

function crc32(bytes) {
  if (zlibCrc32) return zlibCrc32(bytes);
  let crc = 0xffffffff;
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type, content) {
  const body = Buffer.concat([Buffer.from(type), content]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(content.length);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** A PNG of `width` x `height` pixels of noise, about three bytes each. */
export function picture(width, height = width) {
  const rows = randomBytes((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) rows[y * (width * 3 + 1)] = 0;
  // Noise cannot be compressed; not trying saves time.
  return png(width, height, rows, 0);
}

/** A PNG of rows of three bytes a pixel, each row after a zero byte. */
export function png(width, height, rows, level) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("IDAT", deflateSync(rows, { level })), chunk("IEND", Buffer.alloc(0))]);
}

/** The hash of a PNG's size and pixels, independent of its compression. */
export function pixelHash(png) {
  const parts = new Map([["IDAT", []]]);
  for (let at = 8; at < png.length; ) {
    const [length, type] = [png.readUInt32BE(at), png.toString("latin1", at + 4, at + 8)];
    const content = png.subarray(at + 8, at + 8 + length);
    if (type === "IDAT") parts.get("IDAT").push(content);
    else parts.set(type, content);
    at += length + 12;
  }
  const header = parts.get("IHDR");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header[8] !== 8 || header[9] !== 2 || header[12] !== 0) throw new Error("another kind of PNG than was sent");
  const rows = inflateSync(Buffer.concat(parts.get("IDAT")));
  return sha256(Buffer.concat([header.subarray(0, 8), unfilter(rows, width * 3, height)]));
}

/** Undoes the filters of PNG rows of `stride` bytes, three bytes a pixel. */
function unfilter(rows, stride, height) {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1) + 1;
    const [to, filter] = [y * stride, rows[from - 1]];
    for (let x = 0; x < stride; x++) {
      const left = x >= 3 ? out[to + x - 3] : 0;
      const up = y > 0 ? out[to + x - stride] : 0;
      const corner = x >= 3 && y > 0 ? out[to + x - stride - 3] : 0;
      out[to + x] = rows[from + x] + guess(filter, left, up, corner);
    }
  }
  return out;
}

function guess(filter, left, up, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** A PDF of exactly `size` bytes, most of them random. */
export function pdf(size) {
  const head = "%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\n2 0 obj <<>> stream\n";
  const tail = "\nendstream endobj\ntrailer <</Root 1 0 R>>\nstartxref\n9\n%%EOF\n";
  const filling = randomBytes(Math.max(0, Math.ceil((size - head.length - tail.length) / 2))).toString("hex");
  return Buffer.from(head + filling.slice(0, Math.max(0, size - head.length - tail.length)) + tail);
}

/** The hash of a file as it must be stored: the bytes of a document, the pixels of a picture. */
export const fingerprint = (bytes) => (bytes[0] === 0x25 ? sha256(bytes) : pixelHash(bytes));

/** The side of a square PNG of about `bytes` bytes. */
export const sideFor = (bytes) => Math.max(1, Math.floor(Math.sqrt(bytes / 3.01)));
