#!/usr/bin/env bash
# ofxparse 0.21 (PyPI), which reads bank statements in OFX.
#
# A payment of ten minutes past midnight, 20 October 2025, that the bank writes with its time zone as OFX prescribes,
# <DTPOSTED>20251020001000[+5.5:IST], is of 19 October: the library moves the time to UTC and forgets that it did, so that
# `transaction.date` is 2025-10-19 18:40 without a zone. The same payment without a time, 20251020, is of 20 October. Every
# payment between midnight and 05:30 in India is on the wrong day, and a search for a day misses it.
#
# Seen:
#   20251020001000[+5.5:IST] 2025-10-19 18:40:00
#   20251020                 2025-10-20 00:00:00
#
# Exits with 0 as long as it is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check ofxparse==0.21
"$folder/venv/bin/python" -W ignore - <<'PY'
import io
import sys

from ofxparse import OfxParser

HEADER = ("OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\n"
          "OLDFILEUID:NONE\nNEWFILEUID:NONE\n\n")


def read(posted):
    text = HEADER + (
        "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20251031<LANGUAGE>ENG</SONRS>"
        "</SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>INR"
        "<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>SAVINGS</BANKACCTFROM><BANKTRANLIST><DTSTART>20251001<DTEND>20251031"
        f"<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>{posted}<TRNAMT>5000.00<FITID>1<NAME>A</STMTTRN></BANKTRANLIST>"
        "<LEDGERBAL><BALAMT>5000.00<DTASOF>20251031</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>")
    return OfxParser.parse(io.BytesIO(text.encode())).account.statement.transactions[0].date


seen = [str(read(posted)) for posted in ("20251020001000[+5.5:IST]", "20251020")]
print("\n".join(seen))
sys.exit(0 if seen == ["2025-10-19 18:40:00", "2025-10-20 00:00:00"] else 1)
PY
