#!/bin/sh
# Prints the path of a Chromium. Where there is none, it installs Debian's package if it may, and else says what to do.
set -eu

if [ -n "${FESTIVAL_TEST_CHROMIUM:-}" ]; then
    if [ ! -x "$FESTIVAL_TEST_CHROMIUM" ]; then
        echo "FESTIVAL_TEST_CHROMIUM is $FESTIVAL_TEST_CHROMIUM, which is no program." >&2
        exit 1
    fi
    echo "$FESTIVAL_TEST_CHROMIUM"
    exit
fi

find_chromium() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        if command -v "$name"; then
            return
        fi
    done
    return 1
}

if find_chromium; then
    exit
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium for the tests ..." >&2
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } >/dev/null
    if find_chromium; then
        exit
    fi
fi
echo "The tests need Chromium. Install the package \"chromium\", or set FESTIVAL_TEST_CHROMIUM to the path of one." >&2
exit 1
