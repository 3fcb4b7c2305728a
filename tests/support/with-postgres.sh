#!/usr/bin/env bash
# Runs a command with a temporary Postgres: with-postgres.sh COMMAND...
# The server uses a temporary folder, listens on this machine only, and is removed afterwards. FESTIVAL_TEST_POSTGRES is its
# address; if it is set already, that server is used. FESTIVAL_TEST_POSTGRES_CONTROL is its pg_ctl, to stop and start it.
set -euo pipefail

if [ -n "${FESTIVAL_TEST_POSTGRES:-}" ]; then
    exec "$@"
fi

find_binaries() {
    local directory
    for directory in $(command -v pg_config >/dev/null && pg_config --bindir) /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin; do
        if [ -x "$directory/initdb" ]; then
            echo "$directory"
            return
        fi
    done
    return 1
}

if ! binaries=$(find_binaries); then
    if "$(dirname "$0")/debian-packages.sh" postgresql; then
        binaries=$(find_binaries)
    else
        echo "The tests need PostgreSQL's server programs. Install the package \"postgresql\", or set" >&2
        echo "FESTIVAL_TEST_POSTGRES=postgres://user:password@localhost/database to an empty database." >&2
        exit 1
    fi
fi

# Most tests copy a database of some 700 small files: in memory, where there is room, that takes a twentieth of the time.
memory=$(df --output=avail /dev/shm 2>/dev/null | tail -1)
if [ "${memory:-0}" -gt 2000000 ]; then
    folder=$(mktemp -d -p /dev/shm)
else
    folder=$(mktemp -d)
fi
owner=$(id -un)
if [ "$owner" = root ]; then
    # The server refuses to run as root.
    for owner in postgres nobody; do
        id "$owner" >/dev/null 2>&1 && break
    done
    chown "$owner" "$folder"
fi

# Runs a program of the server as the folder's owner.
as_owner() {
    if [ "$owner" = "$(id -un)" ]; then
        (cd "$folder" && "$@")
    else
        (cd "$folder" && runuser -u "$owner" -- "$@")
    fi
}

stop() {
    as_owner "$binaries/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap stop EXIT

as_owner "$binaries/initdb" -D "$folder/data" -U festival --auth=trust --encoding=UTF8 --locale=C >/dev/null
# The data are temporary: no need to wait for the disk.
cat >>"$folder/data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = '$folder'
fsync = off
max_wal_size = 256MB
max_connections = 300
CONF
# If another program uses the port, try another one.
for attempt in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 12000))
    echo "port = $port" >>"$folder/data/postgresql.conf"
    if as_owner "$binaries/pg_ctl" -D "$folder/data" -w -l "$folder/log" start >/dev/null; then
        break
    elif [ "$attempt" = 5 ]; then
        cat "$folder/log" >&2
        exit 1
    fi
done
cat >"$folder/control" <<CONTROL
#!/bin/sh
cd "$folder"
exec $([ "$owner" = "$(id -un)" ] || echo "runuser -u $owner --") "$binaries/pg_ctl" -D "$folder/data" -w -l "$folder/log" "\$@"
CONTROL
chmod +x "$folder/control"
FESTIVAL_TEST_POSTGRES="postgres://festival@127.0.0.1:$port/postgres" FESTIVAL_TEST_POSTGRES_CONTROL="$folder/control" "$@"
