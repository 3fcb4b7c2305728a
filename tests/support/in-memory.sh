#!/usr/bin/env bash
# Runs a command with its temporary files in memory, where there is room: in-memory.sh COMMAND...
# Tests write some hundred files for each site that they start, and wait until these are on disk.
set -euo pipefail

memory=$(df --output=avail /dev/shm 2>/dev/null | tail -1)
if [ "${memory:-0}" -lt 4000000 ]; then
    exec "$@"
fi
TMPDIR=$(mktemp -d -p /dev/shm)
chmod 755 "$TMPDIR" # Other users serve from it: nginx.
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
"$@"
