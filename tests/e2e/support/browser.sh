#!/bin/sh
# Prints the path of Firefox, or of WebKit's driver: browser.sh firefox|webkit. Where it is missing, it installs Debian's
# package if it may, and else says what to do.
set -eu

case "$1" in
firefox) packages=firefox-esr names="firefox-esr firefox" needs="" ;;
# It needs a screen.
webkit) packages="webkit2gtk-driver xvfb" names=WebKitWebDriver needs=Xvfb ;;
*) exit 2 ;;
esac

find_it() {
    for need in $needs; do
        command -v "$need" >/dev/null || return 1
    done
    for name in $names; do
        if command -v "$name"; then
            return
        fi
    done
    return 1
}

# shellcheck disable=SC2086 # one word each
if find_it || { "$(dirname "$0")/../../support/debian-packages.sh" $packages && find_it; }; then
    exit
fi
echo "The tests in $1 need the packages: $packages" >&2
exit 1
