#!/usr/bin/env bash
# ClairMeta 1.6.3 (the Python package clairmeta), a checker of digital cinema packages.
#
# A playlist (CPL) may leave out the <Duration> of a picture (SMPTE ST 429-7); it then lasts from its entry point to its end,
# IntrinsicDuration less EntryPoint. ClairMeta adds up <Duration> alone: a reel of 100 minutes without it lasts 0, without a
# message.
#
# Seen:
#   with Duration     144000 frames 01:40:00:00
#   without Duration  0 frames 00:00:00:00
#
# Who takes running times from playlists computes them for each reel. Exits with 0 as long as it is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check clairmeta==1.6.3
cat >probe.py <<'PY'
import logging
logging.disable(logging.CRITICAL)
from clairmeta.dcp_parse import cpl_parse

CPL = """<?xml version="1.0" encoding="UTF-8"?>
<CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/429-7/2006/CPL">
<Id>urn:uuid:81fb54df-e1bf-4647-8788-ea7ba154375b</Id><IssueDate>2025-09-01T10:00:00+00:00</IssueDate>
<ContentTitleText>Rain Road</ContentTitleText><ContentKind>feature</ContentKind><RatingList/><ReelList><Reel>
<Id>urn:uuid:81fb54df-e1bf-4647-8788-ea7ba154375c</Id><AssetList><MainPicture>
<Id>urn:uuid:81fb54df-e1bf-4647-8788-ea7ba154375d</Id><EditRate>24 1</EditRate>
<IntrinsicDuration>144240</IntrinsicDuration><EntryPoint>240</EntryPoint>{}<FrameRate>24 1</FrameRate>
<ScreenAspectRatio>1998 1080</ScreenAspectRatio></MainPicture></AssetList></Reel></ReelList></CompositionPlaylist>"""
for label, duration in [("with Duration    ", "<Duration>144000</Duration>"), ("without Duration ", "")]:
    with open("CPL.xml", "w") as file:
        file.write(CPL.format(duration))
    read = cpl_parse("CPL.xml")["Info"]["CompositionPlaylist"]
    print(label, read["TotalDuration"], "frames", read["TotalTimeCodeDuration"])
PY
seen=$(venv/bin/python probe.py 2>/dev/null)
echo "$seen"
[ "$seen" = "with Duration     144000 frames 01:40:00:00
without Duration  0 frames 00:00:00:00" ]
