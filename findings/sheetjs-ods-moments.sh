#!/usr/bin/env bash
# SheetJS 0.18.5 (npm package xlsx, the newest in the registry) on Node 20, in the time zone Asia/Kolkata, and LibreOffice 7.4
# (Debian 12).
#
# A cell with the day 30 November 2026 that SheetJS writes with `cellDates: true` is a day in XLSX, where its Z means nothing, and
# the UTC moment of its midnight in ODS: 2026-11-29T18:30:00.000Z. LibreOffice drops that Z, so that whoever opens the list sees the
# evening before. Without `cellDates`, the cell of the ODS is a number without a style: 46356.
#
# Seen:
#   XLSX         t="d" 2026-11-30T00:00:00.000Z
#   ODS          office:date-value="2026-11-29T18:30:00.000Z"
#   LibreOffice  11/29/2026 18:30:00
#
# Who reads an ODS takes a Z at its word, and one in an XLSX not. Exits with 0 as long as it is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund xlsx@0.18.5 >/dev/null
cat >write.mjs <<'JS'
import XLSX from "xlsx";
const book = XLSX.utils.book_new();
XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([[new Date(2026, 10, 30)]], { cellDates: true }), "List");
for (const type of ["xlsx", "ods"]) XLSX.writeFile(book, `list.${type}`, { cellDates: true });
JS
TZ=Asia/Kolkata node write.mjs
xlsx=$(unzip -p list.xlsx xl/worksheets/sheet1.xml | grep -o 't="d"><v>[^<]*' | sed 's/><v>/ /')
ods=$(unzip -p list.ods content.xml | grep -o 'office:date-value="[^"]*"')
soffice "-env:UserInstallation=file://$folder/profile" --headless --convert-to csv list.ods >/dev/null 2>&1
printf 'XLSX         %s\nODS          %s\nLibreOffice  %s\n' "$xlsx" "$ods" "$(cat list.csv)"
[ "$xlsx" = 't="d" 2026-11-30T00:00:00.000Z' ]
[ "$ods" = 'office:date-value="2026-11-29T18:30:00.000Z"' ]
[ "$(cat list.csv)" = "11/29/2026 18:30:00" ]
