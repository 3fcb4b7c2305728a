#!/usr/bin/env bash
# Runs Schemathesis on the OpenAPI description with valid and invalid values for some minutes, and checks each response
# against the description: tests/fuzz/openapi.sh [minutes, 10] [options of Schemathesis].
# Needs Python 3 with venv; installs Schemathesis below target/.
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v python3 >/dev/null || { echo "Python 3 is missing. Install it from your system's packages (python3, python3-venv)." >&2; exit 1; }
python=target/schemathesis/bin/python
[ -x "$python" ] || python3 -m venv target/schemathesis
[ -x target/schemathesis/bin/schemathesis ] || "$python" -m pip install --quiet schemathesis==4.32.5

data=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$data"' EXIT
export FESTIVAL_DATA_DIR=$data FESTIVAL_LOG__FILTER=error ROCKET_ADDRESS=127.0.0.1 ROCKET_PORT=0
export FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES=100000000 FESTIVAL_UPLOADS__MIB_PER_CLIENT_AND_HOUR=0
program=${FESTIVAL_TEST_PROGRAM:-target/release/festival}
[ -x "$program" ] || program=target/debug/festival
"$program" seed tests/faults/edition.toml >/dev/null
"$program" serve 2>"$data/log" &
server=$!
until url=$(sed -n 's/^The site is at //p' "$data/log") && [ -n "$url" ]; do kill -0 "$server"; sleep 0.2; done

# One worker: Python's parser is not thread-safe. Rounds of 50 examples for each operation, until the time is over.
target/schemathesis/bin/schemathesis --config-file tests/fuzz/schemathesis.toml run "$url/api/openapi.json" --url "$url/api" --mode all --max-examples 50 --max-time $((60 * ${1:-10})) \
    --phases examples,coverage,fuzzing --checks all --workers 1 --suppress-health-check all "${@:2}"
