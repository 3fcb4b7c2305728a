// Reads a ZIP archive from disk, one file at a time.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

function bytes(file, at, length) {
  const buffer = Buffer.alloc(length);
  readSync(file, buffer, 0, length, at);
  return buffer;
}

/** A number of the archive; the 64-bit one, if the 32-bit field refers to it. */
function wide(entry, extra, place, order) {
  const narrow = entry.readUInt32LE(place);
  if (narrow !== 0xffffffff) return narrow;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    // Only the numbers that did not fit, in this order: size, packed size, offset.
    const before = order.filter((earlier) => entry.readUInt32LE(earlier) === 0xffffffff).length;
    return Number(extra.readBigUInt64LE(at + 4 + before * 8));
  }
  throw new Error("the archive's numbers are incomplete");
}

/** Calls `use(name, bytes)` for each file of the archive at `path`; returns their number. */
export function eachFile(path, use) {
  const file = openSync(path, "r");
  try {
    const size = fstatSync(file).size;
    const tailAt = Math.max(0, size - 66_000);
    const tail = bytes(file, tailAt, size - tailAt);
    const end = tail.lastIndexOf("PK\x05\x06", undefined, "latin1");
    if (end < 0) throw new Error("not an archive");
    let [length, start] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
    const wideEnd = tail.lastIndexOf("PK\x06\x06", undefined, "latin1");
    if (wideEnd >= 0) [length, start] = [40, 48].map((place) => Number(tail.readBigUInt64LE(wideEnd + place)));
    const list = bytes(file, start, length);
    let count = 0;
    for (let at = 0; at < list.length; count++) {
      const [nameLength, extraLength, noteLength] = [28, 30, 32].map((place) => list.readUInt16LE(at + place));
      const entry = list.subarray(at, at + 46);
      const extra = list.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
      const packedSize = wide(entry, extra, 20, [24]);
      const place = wide(entry, extra, 42, [24, 20]);
      const own = bytes(file, place, 30);
      const packed = bytes(file, place + 30 + own.readUInt16LE(26) + own.readUInt16LE(28), packedSize);
      const name = list.toString("utf8", at + 46, at + 46 + nameLength);
      use(name, entry.readUInt16LE(10) === 0 ? packed : inflateRawSync(packed));
      at += 46 + nameLength + extraLength + noteLength;
    }
    return count;
  } finally {
    closeSync(file);
  }
}
