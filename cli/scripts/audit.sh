#!/usr/bin/env bash
# Known vulnerabilities of what is built in: cargo-deny reads the RustSec advisories, npm asks its registry.
#
#   audit.sh               fails where something is found, or could not be checked
#   audit.sh --if-possible fails where something is found, and says what could not be checked
#
# Where there is no network: ADVISORY_DB=folder names a folder with a clone of https://github.com/rustsec/advisory-db
# inside, as `cargo deny fetch` writes it to ~/.cargo/advisory-dbs.
set -euo pipefail
cd "$(dirname "$0")/../.."

unchecked=0
not_checked() {
    echo "Not checked for known vulnerabilities: $1" >&2
    unchecked=1
}

config=$(mktemp --suffix .toml)
trap 'rm -f "$config"' EXIT
cp config/deny.toml "$config"
[ -z "${ADVISORY_DB:-}" ] || echo "db-path = \"$ADVISORY_DB\"" >>"$config"
if ! command -v cargo-deny >/dev/null; then
    not_checked "the crates. Install cargo-deny: cargo install cargo-deny --locked"
elif [ -z "${ADVISORY_DB:-}" ] && ! cargo deny fetch --config "$config" db >/dev/null 2>&1; then
    not_checked "the crates. The advisories could not be fetched; ADVISORY_DB can name a copy."
else
    cargo deny check --config "$config" --disable-fetch advisories
fi

# A registry that does not answer leaves no report.
if ! report=$(cd frontend && npm audit --omit=dev --audit-level=high --json 2>/dev/null); then
    if grep -q '"vulnerabilities"' <<<"$report"; then
        (cd frontend && npm audit --omit=dev --audit-level=high)
    else
        not_checked "the npm packages. Their registry did not answer."
    fi
fi

[ "$unchecked" = 0 ] || [ "${1:-}" = --if-possible ]
