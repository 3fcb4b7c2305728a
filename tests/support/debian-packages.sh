#!/usr/bin/env bash
# Installs Debian packages for the tests, without starting their services: debian-packages.sh PACKAGE...
# Fails without root. Tests that run in parallel need different packages, so installations wait for each other.
set -euo pipefail

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    exit 1
fi
exec 9>/run/lock/festival-packages
flock 9
echo "Installing $* for the tests ..." >&2
# A policy that forbids starting services during the installation.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
{ apt-get update && apt-get install -y --no-install-recommends "$@"; } >/dev/null
