#!/usr/bin/env bash
# SheetJS 0.18.5 (npm package xlsx, the newest in the registry) on Node 20, in the time zone Asia/Kolkata.
#
# A list of screenings that a script of an office in India writes or reads with SheetJS is ten seconds off:
# - `new Date(2026, 11, 12, 18, 30)` is written as the serial number 46368.770949, which is 18:30:10;
# - a cell with 12 December 2026 (46368), read with `cellDates: true`, is 11 December 23:59:50. Whoever keeps only the date
#   has lost a day, and "2026-12-12" compared with it is another day.
# In Europe/Berlin both are exact. SheetJS counts from the last day of 1899, when the clocks of the zone were 5:21:10 ahead,
# and the JavaScript function that it asks for this offset answers in whole minutes.
#
# Seen:
#   Europe/Berlin: written 46368.77083333, read Sat Dec 12 2026 00:00:00
#   Asia/Kolkata:  written 46368.77094907, read Fri Dec 11 2026 23:59:50
#
# Who reads such lists rounds times to minutes, also over midnight. Exits with 0 as long as it is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund xlsx@0.18.5 >/dev/null
cat >clock.mjs <<'JS'
import XLSX from "xlsx";
const cell = (options) => (value) => XLSX.utils.aoa_to_sheet([[value]], options).A1.v;
const written = cell({})(new Date(2026, 11, 12, 18, 30));
const book = XLSX.utils.book_new();
XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([[{ t: "n", v: 46368, z: "yyyy-mm-dd" }]]), "List");
const file = XLSX.write(book, { type: "buffer", bookType: "xlsx" });
const read = XLSX.read(file, { cellDates: true }).Sheets.List.A1.v;
console.log(`written ${written.toFixed(8)}, read ${String(read).slice(0, 24)}`);
JS
berlin=$(TZ=Europe/Berlin node clock.mjs)
kolkata=$(TZ=Asia/Kolkata node clock.mjs)
printf 'Europe/Berlin: %s\nAsia/Kolkata:  %s\n' "$berlin" "$kolkata"
[ "$berlin" = "written 46368.77083333, read Sat Dec 12 2026 00:00:00" ]
[ "$kolkata" = "written 46368.77094907, read Fri Dec 11 2026 23:59:50" ]
