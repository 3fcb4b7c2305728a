#!/usr/bin/env bash
# Runs the property tests of every parser with random values for some minutes: tests/fuzz/properties.sh [minutes for
# each, 10] [pattern of the targets]. One target for each core at a time. A failure prints the smallest value that fails
# and keeps it in a file `proptest-regressions`, which every later test run tries first.
set -euo pipefail
cd "$(dirname "$0")/../.."

export MINUTES=${1:-10} PROPTEST_CASES=1000
pattern=${2:-.}

# Name, crate, and which of its tests.
targets() {
    cat <<'TARGETS'
multipart festival_files upload::tests::any::
pictures festival_files properties::mutated_pictures
documents festival_files properties::mutated_documents
any-file festival_files properties::any_bytes_are_checked
tables festival_files properties::.*table
file-names festival_files any_name_becomes_displayable
cells festival_files every_format_returns_the_texts
html festival_records sanitising_is_harmless
payment-links festival_forms upi::
TARGETS
}

export binaries
binaries=$(cargo test --workspace --lib --no-run 2>&1 | tee /dev/stderr | sed -n 's/.*Executable .*(\(.*\))$/\1/p')

run() {
    read -r name crate filter <<<"$1"
    binary=$(grep "/$crate-" <<<"$binaries")
    mapfile -t tests < <("$binary" --list 2>/dev/null | sed -n 's/: test$//p' | grep -E "$filter")
    [ "${#tests[@]}" -gt 0 ] || { echo "FAIL  $name: no test matches $filter"; exit 255; }
    end=$((SECONDS + MINUTES * 60)) rounds=0 log=$(mktemp)
    while [ "$SECONDS" -lt "$end" ]; do
        "$binary" --quiet --exact "${tests[@]}" >"$log" 2>&1 || { cat "$log"; echo "FAIL  $name"; exit 255; }
        rounds=$((rounds + 1))
    done
    rm -f "$log"
    echo "ok    $name: $MINUTES minutes, $rounds rounds of ${#tests[@]} tests"
}
export -f run

targets | grep -E "$pattern" | tr '\n' '\0' | xargs -0 -P "$(getconf _NPROCESSORS_ONLN)" -I{} bash -c 'run "$1"' _ {}
