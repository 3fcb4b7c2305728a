#!/usr/bin/env bash
# Makes sure that nginx, Caddy, Apache and HAProxy are installed, for the tests of config/deploy. As root on Debian it installs them itself;
# elsewhere it says what to install.
set -euo pipefail

# Debian has nginx in /usr/sbin, which is not in everybody's path.
PATH=$PATH:/usr/sbin
missing=()
command -v nginx >/dev/null || missing+=(nginx-light)
command -v caddy >/dev/null || missing+=(caddy)
command -v apache2 >/dev/null || missing+=(apache2-bin)
command -v haproxy >/dev/null || missing+=(haproxy)
command -v openssl >/dev/null || missing+=(openssl)
[ ${#missing[@]} = 0 ] && exit

if ! "$(dirname "$0")/debian-packages.sh" "${missing[@]}"; then
    echo "The tests of the proxy configurations need nginx, Caddy, Apache, HAProxy and OpenSSL. Install the packages: ${missing[*]}" >&2
    exit 1
fi
