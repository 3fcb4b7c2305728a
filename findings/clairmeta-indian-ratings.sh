#!/usr/bin/env bash
# ClairMeta 1.6.3 (the Python package clairmeta), a checker of digital cinema packages.
#
# Since November 2024 India's ratings are U, UA 7+, UA 13+, UA 16+, A and S. In titles of the naming convention for digital
# cinema, ClairMeta knows ratings of at most three characters: IN-UA and IN-UA7 are read, IN-UA13 and IN-UA16 are "not matching
# any naming convention field", so the title of a print that is right for India is reported as wrong. So is IN-UA7+.
#
# Seen:
#   IN-UA    0 errors, rated UA
#   IN-UA7   0 errors, rated UA7
#   IN-UA7+  2 errors, rated
#   IN-UA13  2 errors, rated
#   IN-UA16  2 errors, rated
#
# Who reads such titles splits the part at its hyphen instead of matching it. Exits with 0 as long as it is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check clairmeta==1.6.3
cat >probe.py <<'PY'
import logging
logging.disable(logging.CRITICAL)
from clairmeta.utils.isdcf import parse_isdcf_string

TITLE = "RainRoad_FTR-1_F_ML-EN_{}_51_2K_XXX_20250901_XXX_SMPTE_OV"
for rating in ["IN-UA", "IN-UA7", "IN-UA7+", "IN-UA13", "IN-UA16"]:
    fields, errors = parse_isdcf_string(TITLE.format(rating))
    print(f"{rating:8} {len(errors)} errors, rated {fields['TerritoryRating']['LocalRating']}".rstrip())
PY
seen=$(venv/bin/python probe.py 2>/dev/null)
echo "$seen"
[ "$seen" = "IN-UA    0 errors, rated UA
IN-UA7   0 errors, rated UA7
IN-UA7+  2 errors, rated
IN-UA13  2 errors, rated
IN-UA16  2 errors, rated" ]
