#!/usr/bin/env bash
# Gnumeric 1.12.55 and LibreOffice 7.4 (Debian 12) show a cell of an ODS whose value type is "date" as a number, 46356.77, if its
# style names no date style: the type says how the value is written, and not how it is shown. The text in the cell, which every
# writer puts there, is not used, and a CSV that they save has the number.
#
# Seen:
#   Gnumeric     46356.770833333333332
#   LibreOffice  46356.7708333333
#
# Who writes dates to an ODS gives them a date style. Exits with 0 as long as it is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir META-INF
printf application/vnd.oasis.opendocument.spreadsheet >mimetype
cat >META-INF/manifest.xml <<'XML'
<?xml version="1.0"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>
XML
cat >content.xml <<'XML'
<?xml version="1.0"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:version="1.2"
xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">
<office:body><office:spreadsheet><table:table table:name="List"><table:table-row>
<table:table-cell office:value-type="date" office:date-value="2026-11-30T18:30:00"><text:p>2026-11-30 18:30</text:p></table:table-cell>
</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>
XML
zip -q -0 list.ods mimetype
zip -q -r list.ods META-INF content.xml
ssconvert list.ods gnumeric.csv 2>/dev/null
soffice "-env:UserInstallation=file://$folder/profile" --headless --convert-to csv list.ods >/dev/null 2>&1
printf 'Gnumeric     %s\nLibreOffice  %s\n' "$(cat gnumeric.csv)" "$(cat list.csv)"
[ "$(cat gnumeric.csv)" = 46356.770833333333332 ]
[ "$(cat list.csv)" = 46356.7708333333 ]
