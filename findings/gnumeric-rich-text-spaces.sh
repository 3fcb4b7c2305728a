#!/usr/bin/env bash
# Gnumeric 1.12.55 (Debian 12), ssconvert: in a formatted text, "Bold" in bold followed by " rest", it writes the second run as
# <t> rest</t>, without xml:space="preserve", although the file that it read had the attribute. Readers that trim texts
# without it, such as calamine 0.38 (Rust), see "Boldrest". Gnumeric itself reads its file right.
# Seen: <t> rest</t>, and "Bold rest" in the CSV file that Gnumeric makes of its own workbook.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv && venv/bin/pip --quiet install XlsxWriter==3.2.9
venv/bin/python - <<'PYTHON'
import xlsxwriter
book = xlsxwriter.Workbook('in.xlsx')
book.add_worksheet().write_rich_string('A1', book.add_format({'bold': True}), 'Bold', ' rest')
book.close()
PYTHON
read -r input < <(unzip -p in.xlsx xl/sharedStrings.xml | grep -o '<t[^>]*> rest</t>')
[ "$input" = '<t xml:space="preserve"> rest</t>' ] || { echo "the input differs: $input"; exit 1; }
ssconvert in.xlsx out.xlsx 2> /dev/null
ssconvert out.xlsx out.csv 2> /dev/null
read -r output < <(unzip -p out.xlsx xl/worksheets/sheet1.xml | grep -o '<t[^>]*> rest</t>')
echo "Gnumeric writes: $output; and reads: $(cat out.csv)"
[ "$output" = '<t> rest</t>' ] && [ "$(tr -d '"' < out.csv)" = 'Bold rest' ]
