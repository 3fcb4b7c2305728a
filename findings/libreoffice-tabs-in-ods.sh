#!/usr/bin/env bash
# LibreOffice 7.4 (Debian 12) saves a tab in a cell of an ODS as <text:tab/> and drops that element when it opens the file: "a",
# tab, "b" comes back as "ab". pandas with odfpy and calamine drop it, too. A tab as a character inside of the paragraph, which the
# format says to collapse to a space, is kept by all three and by Gnumeric; SheetJS makes it a space.
#
# Seen:
#   text:tab   ab
#   character  a<tab>b
#
# Who writes an ODS for others writes the character. Exits with 0 as long as it is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
open() { soffice "-env:UserInstallation=file://$folder/profile" --headless --convert-to "$1" "$2" >/dev/null 2>&1; }
printf '"a\tb"\n' >saved.csv
open ods saved.csv
mkdir parts
cd parts
unzip -q ../saved.ods
grep -q 'a<text:tab/>b' content.xml
sed -i 's|a<text:tab/>b|a\tb|' content.xml
zip -q -r ../character.ods .
cd ..
open csv saved.ods
printf 'text:tab   %s\n' "$(cat saved.csv)"
open csv character.ods
printf 'character  %s\n' "$(sed 's/\t/<tab>/' character.csv)"
[ "$(cat saved.csv)" = ab ] && [ "$(cat character.csv)" = $'a\tb' ]
