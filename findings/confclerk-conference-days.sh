#!/usr/bin/env bash
# ConfClerk 0.7.1 (Debian 0.7.1-1), a program that reads conference schedules in frab's XML, as PentaBarf, frab and pretalx
# write them.
#
# Three values that the format allows put an event elsewhere than in the schedule, without a message:
# - An event under 12 December whose <date> is in UTC, 2026-12-11T19:00:00Z with <start> 00:30, which is half past midnight
#   of the 12th in India. ConfClerk takes the day from the letters of <date> and the hour from <start>: it shows it on the
#   11th at 00:30, a whole day early.
# - The same moment with the offset of the place, 2026-12-12T00:30:00+05:30, is right.
# - A <duration> of 25:30, which the public schema allows, is 0 minutes: it is read as a time of day.
#
# Seen, in its database, where times are without a zone:
#   local     2026-12-12 00:30 5400
#   utc       2026-12-11 00:30 5400
#   marathon  2026-12-12 10:00 0
#
# Who writes such schedules writes local times with an offset, and durations under 24 hours. Exits with 0 as long as it is so.
# Runs as root on Debian 12: ConfClerk reloads, under Xvfb, a conference whose address is on this machine.
set -euo pipefail
apt-get install -y -qq --no-install-recommends confclerk=0.7.1-1 xvfb xauth xdotool sqlite3 python3 >/dev/null 2>&1
folder=$(mktemp -d)
cd "$folder"
event() {
  printf '<event id="%s"><room>Hall</room><title>%s</title><type>film</type><date>%s</date><start>%s</start><duration>%s</duration>' "$@"
  printf '<track>World</track><persons/><links/></event>'
}
{
  echo '<?xml version="1.0" encoding="UTF-8"?><schedule><conference><title>Festival</title><start>2026-12-12</start>'
  echo '<end>2026-12-12</end><days>1</days><day_change>05:00</day_change><timeslot_duration>00:05</timeslot_duration></conference>'
  echo '<day index="1" date="2026-12-12"><room name="Hall">'
  event 1 local 2026-12-12T00:30:00+05:30 00:30 01:30
  event 2 utc 2026-12-11T19:00:00Z 00:30 01:30
  event 3 marathon 2026-12-12T10:00:00+05:30 10:00 25:30
  echo '</room></day></schedule>'
} >schedule.xml
python3 -u - >port 2>/dev/null <<'PY' &
import functools, http.server
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(http.server.SimpleHTTPRequestHandler))
print(server.server_port, flush=True)
server.serve_forever()
PY
web=$!
trap 'kill $web; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
export PORT=$(cat port) HOME=$folder XDG_CONFIG_HOME= XDG_DATA_HOME= QT_QPA_PLATFORM=xcb
xvfb-run -a bash -s >/dev/null 2>&1 <<'IN_WINDOW'
begin() {
  confclerk &
  program=$!
  until window=$(xdotool search --onlyvisible --pid $program | tail -1) && [ -n "$window" ]; do sleep 0.2; done
}
finish() { kill $program; wait $program || true; }
database=.local/share/Toastfreeware/ConfClerk/ConfClerk.sqlite
begin
finish
sqlite3 $database "INSERT INTO conference (title, start, end, active, url) VALUES ('Festival', 0, 0, 1, 'http://127.0.0.1:$PORT/schedule.xml')"
begin
# The window takes keys only after a moment, and loading twice changes nothing.
until [ "$(sqlite3 $database 'SELECT count(*) FROM event')" = 3 ]; do
  xdotool windowfocus "$window" key ctrl+r
  sleep 1
done
finish
IN_WINDOW
seen=$(sqlite3 -separator ' ' .local/share/Toastfreeware/ConfClerk/ConfClerk.sqlite \
  "SELECT title, strftime('%Y-%m-%d %H:%M', start, 'unixepoch'), duration FROM event ORDER BY id")
echo "$seen"
[ "$seen" = "local 2026-12-12 00:30 5400
utc 2026-12-11 00:30 5400
marathon 2026-12-12 10:00 0" ]
