#!/bin/sh
# Prints the path of a Chromium: preferably the headless one, which needs a third less CPU and memory. Where that is
# missing, it installs Debian's package if it may, then takes any other, and else says what to do.
set -eu

if [ -n "${FESTIVAL_TEST_CHROMIUM:-}" ]; then
    if [ ! -x "$FESTIVAL_TEST_CHROMIUM" ]; then
        echo "FESTIVAL_TEST_CHROMIUM is $FESTIVAL_TEST_CHROMIUM, which is no program." >&2
        exit 1
    fi
    echo "$FESTIVAL_TEST_CHROMIUM"
    exit
fi

find_first() {
    for name in "$@"; do
        if command -v "$name"; then
            return
        fi
    done
    return 1
}

best=chromium-headless-shell
if find_first $best; then
    exit
fi
if "$(dirname "$0")/../../support/debian-packages.sh" $best && find_first $best; then
    exit
fi
if find_first chromium chromium-browser google-chrome google-chrome-stable; then
    exit
fi
echo "The tests need Chromium. Install the package \"$best\" or \"chromium\", or set FESTIVAL_TEST_CHROMIUM to the path of one." >&2
exit 1
