#!/usr/bin/env bash
# Makes sure that nginx and Caddy are installed, for the tests of config/deploy. As root on Debian it installs them itself,
# without starting them; elsewhere it says what to install.
set -euo pipefail

# Debian has nginx in /usr/sbin, which is not in everybody's path.
PATH=$PATH:/usr/sbin
missing=()
command -v nginx >/dev/null || missing+=(nginx-light)
command -v caddy >/dev/null || missing+=(caddy)
command -v openssl >/dev/null || missing+=(openssl)
[ ${#missing[@]} = 0 ] && exit

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "The tests of the proxy configurations need nginx, Caddy and OpenSSL. Install the packages: ${missing[*]}" >&2
    exit 1
fi
echo "Installing ${missing[*]} for the tests ..." >&2
# A policy that forbids starting services, as long as this takes.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
fi
{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } >/dev/null
