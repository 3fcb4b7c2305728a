#!/usr/bin/env bash
# Checks dependencies for known vulnerabilities: crates with cargo-deny and the RustSec advisories, npm packages with npm audit.
#
#   audit.sh               fails if a vulnerability is found or a check is not possible
#   audit.sh --if-possible fails if a vulnerability is found, and reports checks that are not possible
#
# Without network: ADVISORY_DB=folder names a folder that contains a clone of https://github.com/rustsec/advisory-db, as
# `cargo deny fetch` creates it in ~/.cargo/advisory-dbs.
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

# If the registry does not respond, there is no report.
if ! report=$(cd frontend && npm audit --omit=dev --audit-level=high --json 2>/dev/null); then
    if grep -q '"vulnerabilities"' <<<"$report"; then
        (cd frontend && npm audit --omit=dev --audit-level=high)
    else
        not_checked "the npm packages. Their registry did not answer."
    fi
fi

[ "$unchecked" = 0 ] || [ "${1:-}" = --if-possible ]
