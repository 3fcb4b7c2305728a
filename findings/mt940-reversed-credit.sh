#!/usr/bin/env bash
# mt-940 4.30.0 (PyPI), which reads bank statements in MT940.
#
# The mark in the field 61 is C for a credit, D for a debit, RC for a credit that was reversed (money goes out) and RD for a
# debit that was reversed (money comes in). The library makes the amount negative for D alone, so that the reversal of a
# payment of 5,000, RC5000,00, is +5000.00 like the payment itself, and their sum 10,000 instead of 0. The balances that the
# statement names, and which the library reads, say otherwise.
#
# Seen:
#   C 5000.00, D -5000.00, RC 5000.00, RD 5000.00
#
# Exits with 0 as long as it is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check mt-940==4.30.0
"$folder/venv/bin/python" - <<'PY'
import sys

import mt940


def amount(mark):
    text = (":20:STATEMENT\n:25:BANK/1\n:28C:1/1\n:60F:C251019INR10000,00\n"
            f":61:2510201020{mark}5000,00NTRFNONREF//1\n:86:A PAYMENT\n:62F:C251020INR10000,00\n")
    return str(mt940.parse(text)[0].data["amount"].amount)


seen = {mark: amount(mark) for mark in ("C", "D", "RC", "RD")}
print(", ".join(f"{mark} {value}" for mark, value in seen.items()))
sys.exit(0 if seen == {"C": "5000.00", "D": "-5000.00", "RC": "5000.00", "RD": "5000.00"} else 1)
PY
