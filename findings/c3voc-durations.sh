#!/usr/bin/env bash
# c3voc-schedule-tools 1.1.0 (Python), the library with which the video team of the CCC reads and writes conference schedules.
#
# The schema of schedule.json says that a duration is "hh:mm". The library reads "01:30" as a minute and a half: an event of
# an hour and a half that begins at 18:30 ends at 18:31:30, and whatever is planned after its end begins too early. With
# seconds, "01:30:00", it is right, but then the document is no longer valid, and other apps read hours and minutes. An event
# with `end` beside `duration` is read by its duration all the same.
#
# Seen:
#   01:30     0:01:30, ends 18:31:30
#   01:30:00  1:30:00, ends 20:00:00
#
# Who uses the library computes lengths from the strings. Exits with 0 as long as it is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check c3voc-schedule-tools==1.1.0
cat >probe.py <<'PY'
import json
from voc.schedule import Schedule

event = {
    "id": 1, "guid": "aaaaaaaa-bbbb-8ccc-8ddd-eeeeeeeeeeee", "date": "2026-12-12T18:30:00+05:30", "start": "18:30",
    "end": "2026-12-12T20:00:00+05:30", "room": "Hall", "slug": "festival-1", "url": "https://festival.example/1",
    "title": "The Rain Road", "subtitle": "", "track": "World", "type": "film", "language": "ml", "abstract": "",
    "persons": [], "links": [],
}
for duration in ["01:30", "01:30:00"]:
    day = {"index": 1, "date": "2026-12-12", "day_start": "2026-12-12T05:00:00+05:30", "day_end": "2026-12-13T05:00:00+05:30"}
    day["rooms"] = {"Hall": [event | {"duration": duration}]}
    conference = {
        "acronym": "festival", "title": "Festival", "start": "2026-12-12", "end": "2026-12-12", "daysCount": 1,
        "timeslot_duration": "00:05", "time_zone_name": "Asia/Kolkata", "rooms": [], "days": [day],
    }
    with open("schedule.json", "w") as file:
        json.dump({"schedule": {"version": "1", "base_url": "https://festival.example", "conference": conference}}, file)
    read = []
    Schedule.from_file("schedule.json").foreach_event(read.append)
    end = read[0].start + read[0].duration
    print(f"{duration:8}  {read[0].duration}, ends {end:%H:%M:%S}")
PY
seen=$(venv/bin/python probe.py 2>/dev/null)
echo "$seen"
[ "$seen" = "01:30     0:01:30, ends 18:31:30
01:30:00  1:30:00, ends 20:00:00" ]
