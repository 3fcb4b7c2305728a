#!/bin/sh
# The compiler of the project's own crates in `make test`: clippy, which lints and compiles in one go. Cargo calls it with
# the path of rustc and its arguments.
exec clippy-driver "$@" -D warnings
